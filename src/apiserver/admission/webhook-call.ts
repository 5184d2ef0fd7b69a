/** One HTTPS call to one webhook: the review that goes out and the answer that comes back. */
import { Agent, request } from "undici";
import { type Clock, seconds } from "#clock";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { Store } from "../store/index.ts";
import type { Attributes } from "./admission.ts";
import type { Webhook } from "./webhook-configuration.ts";

export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly status?: { readonly code?: number; readonly message?: string; readonly reason?: string };
  readonly patch?: string;
  readonly patchType?: string;
  readonly warnings?: readonly string[];
}

/** The webhook could not be asked, or answered nonsense. */
export class WebhookFailed extends Error {
  override readonly name = "WebhookFailed";
}

const DEFAULT_TIMEOUT_SECONDS = 10;

export function reviewOf(attributes: Attributes, uid: string): JsonObject {
  const { call, operation, object, old, dryRun } = attributes;
  const { resource, info, user } = call;
  const kind = { group: resource.group, version: resource.version, kind: resource.kind };
  const gvr = { group: resource.group, version: resource.version, resource: resource.plural };
  return {
    kind: "AdmissionReview",
    apiVersion: "admission.k8s.io/v1",
    request: {
      uid,
      kind,
      resource: gvr,
      requestKind: kind,
      requestResource: gvr,
      ...(info.subresource && { subResource: info.subresource, requestSubResource: info.subresource }),
      name: object?.metadata.name ?? info.name,
      ...(info.namespace && { namespace: info.namespace }),
      operation,
      userInfo: { username: user.username, groups: [...user.groups], ...(user.uid && { uid: user.uid }) },
      object: (object ?? null) as unknown as JsonObject,
      oldObject: (old ?? null) as unknown as JsonObject,
      dryRun,
      options: null,
    },
  } satisfies JsonObject;
}

export interface CallTools {
  readonly store: Store;
  readonly clock: Clock;
}

export async function callWebhook(webhook: Webhook, review: JsonObject, tools: CallTools): Promise<ReviewAnswer> {
  const { clientConfig, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = webhook;
  const url = addressOf(clientConfig, tools.store);
  const deadline = new AbortController();
  const timer = tools.clock.after(seconds(timeoutSeconds), () =>
    deadline.abort(new Error(`no answer within ${timeoutSeconds} s (context deadline exceeded)`)),
  );
  const ca = clientConfig.caBundle ? Buffer.from(clientConfig.caBundle, "base64").toString("utf8") : undefined;
  const servername = clientConfig.service && `${clientConfig.service.name}.${clientConfig.service.namespace}.svc`;
  const agent = new Agent({ connect: { ...(ca && { ca }), ...(servername && { servername }) } });
  try {
    const { statusCode, body } = await request(`${url}?timeout=${timeoutSeconds}s`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(review),
      dispatcher: agent,
      signal: deadline.signal,
    });
    const text = await body.text();
    if (statusCode !== 200)
      throw new WebhookFailed(
        `an error on the server (${JSON.stringify(text)}) has prevented the request from succeeding`,
      );
    return readAnswer(text, review);
  } catch (error) {
    throw error instanceof WebhookFailed
      ? error
      : new WebhookFailed(`Post ${JSON.stringify(url)}: ${describe(error, deadline.signal)}`);
  } finally {
    timer.cancel();
    await agent.destroy();
  }
}

function describe(error: unknown, signal: AbortSignal): string {
  const cause = signal.aborted ? signal.reason : error;
  return cause instanceof Error ? cause.message : String(cause);
}

/** A service stands for its endpoints; there is no cluster network here, so it must name an address itself. */
function addressOf({ url, service }: Webhook["clientConfig"], store: Store): string {
  if (url) return url;
  if (!service) throw new WebhookFailed("the webhook names neither a url nor a service");
  const found = store.get(`core/services/${service.namespace}/${service.name}`)?.object as
    | { spec?: { clusterIP?: string; externalName?: string } }
    | undefined;
  const host = found?.spec?.externalName ?? found?.spec?.clusterIP;
  if (!host || host === "None") {
    throw new WebhookFailed(`service ${JSON.stringify(service.name)} not found, or without an address in this cluster`);
  }
  return `https://${host}:${service.port ?? 443}${service.path ?? ""}`;
}

function readAnswer(text: string, review: JsonObject): ReviewAnswer {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    throw new WebhookFailed("the answer is not JSON");
  }
  const response = isJsonObject(answer) ? answer.response : undefined;
  const asked = isJsonObject(review.request) ? review.request.uid : undefined;
  if (!isJsonObject(response)) throw new WebhookFailed("webhook response was absent");
  if (response.uid !== asked)
    throw new WebhookFailed(`expected response.uid=${JSON.stringify(asked)}, got ${JSON.stringify(response.uid)}`);
  return response as unknown as ReviewAnswer;
}
