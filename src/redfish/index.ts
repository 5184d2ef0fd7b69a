export { type BmcAddress, bmcAddress, originOf } from "./protocol/address.ts";
export { type Answer, Connection, type ConnectionOptions, type RedfishRequest } from "./protocol/connection.ts";
export { FenceClosed } from "./protocol/network-error.ts";
export { type Failure, type FailureCode, failure, mapOutcome, type Outcome, success } from "./protocol/outcome.ts";
export { isRecord, type Json, readArray, readLink, readNumber, readRecord, readString } from "./protocol/read.ts";
export { type CallOptions, RedfishService, type Resource, type Sender } from "./protocol/service.ts";
export { type Credentials, pathOf, Session } from "./protocol/session.ts";
export type { TlsOptions, Trust } from "./protocol/trust.ts";
