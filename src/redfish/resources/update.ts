/** Firmware updates: by address (SimpleUpdate), as a multipart form, or pushed raw. Starts them; task.ts follows them. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readString, readStrings, reported } from "../protocol/read.ts";
import { withoutSecrets } from "../protocol/redact.ts";
import type { Accepted, CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { actionOf } from "./action.ts";
import { multipartForm } from "./multipart-form.ts";
import { taskMonitorOf } from "./task.ts";

export interface UpdateService {
  readonly resource: Resource;
  readonly pushUri?: string;
  readonly multipartUri?: string;
  readonly transferProtocols: readonly string[];
  readonly canFetch: boolean;
}

export interface SimpleUpdate {
  readonly imageUri: string;
  readonly component?: "BIOS" | "BMC";
  readonly transferProtocol?: string;
  readonly username?: string;
  readonly password?: () => string;
  readonly force?: boolean;
  /** Inventory entries to update; the BMC finds out by itself when there are none. */
  readonly targets?: readonly string[];
}

/** An update that the BMC accepted: it must not be sent again, whatever becomes of this process. */
export interface StartedUpdate {
  readonly monitor: string;
}

export async function readUpdateService(
  service: RedfishService,
  path: string | undefined,
  options: CallOptions = {},
): Promise<Outcome<UpdateService>> {
  if (path === undefined) return failure("NotSupported", "the BMC has no update service");
  const resource = await service.get(path, options);
  if (!resource.ok) return resource;
  const { body } = resource.value;
  const action = actionOf(resource.value, "#UpdateService.SimpleUpdate");
  return success({
    resource: resource.value,
    ...reported({
      pushUri: readString(body, "HttpPushUri"),
      multipartUri: readString(body, "MultipartHttpPushUri"),
    }),
    canFetch: action.ok,
    transferProtocols: action.ok ? readStrings(action.value.body, "TransferProtocol@Redfish.AllowableValues") : [],
  });
}

/** Has the BMC fetch an image and install it. */
export async function simpleUpdate(
  service: RedfishService,
  { resource }: UpdateService,
  update: SimpleUpdate,
  options: CallOptions = {},
): Promise<Outcome<StartedUpdate>> {
  const action = actionOf(resource, "#UpdateService.SimpleUpdate");
  if (!action.ok) return action;
  const answer = await service.post(action.value.target, updateBody(service, update), options);
  return started(service, withoutSecrets(answer, update.password ? [update.password()] : []));
}

function updateBody({ quirks }: RedfishService, update: SimpleUpdate): Record<string, unknown> {
  const { imageUri, component, transferProtocol, username, password, force, targets } = update;
  const named = component && quirks.updateTargets ? [quirks.updateTargets[component]] : undefined;
  return reported({
    ImageURI: imageUri,
    TransferProtocol: transferProtocol,
    Username: username,
    Password: password?.(),
    ForceUpdate: force === true ? true : undefined,
    Targets: targets ?? named,
    "@Redfish.OperationApplyTime": quirks.updateApplyTime,
  });
}

export interface PushedImage {
  readonly fileName: string;
  readonly content: Uint8Array;
  readonly targets?: readonly string[];
}

/** A flash image takes its time over a management network. */
const PUSH_TIMEOUT_MS = 15 * 60_000;

/** Sends the image itself: as a form where the BMC takes one, else raw. */
export async function pushUpdate(
  service: RedfishService,
  { multipartUri, pushUri, resource }: UpdateService,
  image: PushedImage,
  options: CallOptions = {},
): Promise<Outcome<StartedUpdate>> {
  const patience = { timeoutMs: PUSH_TIMEOUT_MS, ...options };
  if (multipartUri !== undefined) {
    const { contentType, body } = multipartForm(parametersOf(service, image), image);
    const headers = { "content-type": contentType };
    return started(service, await service.post(multipartUri, body, { ...patience, headers }));
  }
  if (pushUri === undefined) return failure("NotSupported", `${resource.path} takes no pushed images`);
  const headers = { "content-type": "application/octet-stream" };
  return started(service, await service.post(pushUri, image.content, { ...patience, headers }));
}

function parametersOf({ quirks }: RedfishService, { targets }: PushedImage): Record<string, unknown> {
  return { Targets: targets ?? [], ...reported({ "@Redfish.OperationApplyTime": quirks.updateApplyTime }) };
}

/** Anything but "accepted, ask here" leaves open whether an update runs; saying so keeps it from being sent twice. */
function started(service: RedfishService, answer: Outcome<Accepted>): Outcome<StartedUpdate> {
  if (!answer.ok) return answer;
  const { status } = answer.value.answer;
  const monitor = taskMonitorOf(service, answer.value);
  if (monitor !== undefined) return success({ monitor });
  return failure("BrokenAnswer", `the BMC took an update with HTTP ${status} and named no task to follow`, { status });
}
