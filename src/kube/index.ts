export type {
  CallOptions,
  Client,
  DeleteOptions,
  Draft,
  JsonPatchOperation,
  List,
  ListOptions,
  ObjectName,
  Patch,
  ReadOptions,
  WarningHandler,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from "./client/client.ts";
export { type ClientOptions, createClient } from "./client/create-client.ts";
export {
  ApiError,
  DeadlineExceeded,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isUnauthorized,
  OutcomeUnknown,
  type Status,
} from "./client/errors.ts";
export { ConfigError } from "./config/config-error.ts";
export type { ConnectionConfig } from "./config/connection-config.ts";
export { type LoadOptions, loadConfig } from "./config/load-config.ts";
export { Secret } from "./config/secret.ts";
export { type ConnectOptions, connect } from "./transport/connect.ts";
export { CredentialError } from "./transport/credential-error.ts";
export { type Fence, Fenced, fenced } from "./transport/fence.ts";
export {
  ConnectionLost,
  NotSent,
  type Priority,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./transport/transport.ts";
