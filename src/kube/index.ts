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
export {
  type Acting,
  type Controller,
  type ControllerOptions,
  controller,
  type Look,
} from "./controller/controller.ts";
export { act, apply, change, create, remove, settled, wait } from "./controller/decide.ts";
export type { Announcement, Decision, Waiting, Write } from "./controller/decision.ts";
export { type ControllerMetrics, controllerMetrics, type PassResult } from "./controller/metrics.ts";
export { type PassRecord, PassRecorder, type PassRecorderOptions } from "./controller/pass-recorder.ts";
export { perform, projectConditions, projectWaiting } from "./controller/perform.ts";
export { fromRecorded, type Redaction, toRecorded } from "./controller/record-format.ts";
export { parsePassRecord, type Replay, replay } from "./controller/replay.ts";
export type { InformerSource, Runtime } from "./controller/runtime.ts";
export { external, mapped, owned, type Wake } from "./controller/wake.ts";
export type { Reporter } from "./events/event-about.ts";
export { EventRecorder, type EventRecorderOptions } from "./events/event-recorder.ts";
export { createInformer, type InformerSettings } from "./informer/create-informer.ts";
export {
  type IndexFunction,
  type Informer,
  type InformerHandler,
  type InformerOptions,
  keyOf,
  parseKey,
} from "./informer/informer.ts";
export { createInformers, type Informers } from "./informer/informers.ts";
export type { Observed } from "./informer/observed.ts";
export { Election, type ElectionOptions, type LeaseEnd } from "./leader/election.ts";
export { LeaseFence } from "./leader/lease-fence.ts";
export { defaultTiming, type ElectionTiming } from "./leader/timing.ts";
export type { HealthOptions } from "./manager/health-server.ts";
export { createManager, type Manager, type ManagerEnd, type ManagerOptions } from "./manager/manager.ts";
export type { Runnable } from "./manager/runnable.ts";
export { onTermination, type Termination } from "./manager/signals.ts";
export {
  addFinalizer,
  hasFinalizer,
  isBeingDeleted,
  removeFinalizer,
  withFinalizer,
  withoutFinalizer,
} from "./objects/finalizer.ts";
export { type GuardedSend, type IntentPlace, sendGuarded } from "./objects/guarded-send.ts";
export {
  failIntent,
  IntentOpen,
  type IntentRequest,
  isDone,
  isOpen,
  NonceReused,
  observeIntent,
  openIntent,
  type Sighting,
} from "./objects/intent.ts";
export {
  controllerOf,
  controllerRef,
  isControlledBy,
  ownerRef,
  refersTo,
  sameOwner,
  withOwner,
} from "./objects/owner.ts";
export { createWorkQueue, type QueueObserver, type WorkQueueOptions } from "./queue/create-work-queue.ts";
export type { AddOptions, WorkQueue } from "./queue/work-queue.ts";
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
export { type AdmissionRequest, allow, deny, patch, type UserInfo, type Verdict } from "./webhook/admission.ts";
export { mutate, validate, type WebhookHandler } from "./webhook/handler.ts";
export { startWebhookServer, type WebhookServer, type WebhookServerOptions } from "./webhook/webhook-server.ts";
