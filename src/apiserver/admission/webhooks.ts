/** Asks the configured webhooks: mutating ones one after the other, validating ones all at once. */
import type { KubeObject } from "#kinds";
import { DecodeError } from "../decode/index.ts";
import { internalError, StatusError } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import { applyJsonPatch, decodeJsonPatch, PatchError } from "../patch/index.ts";
import { admitObject } from "../rest/body.ts";
import type { Environment } from "../rest/call.ts";
import { generateUid } from "../rest/names.ts";
import type { Admission, Attributes } from "./admission.ts";
import { callWebhook, type ReviewAnswer, reviewOf, WebhookFailed } from "./webhook-call.ts";
import { type Webhook, webhooksOf } from "./webhook-configuration.ts";
import { wants } from "./webhook-match.ts";

/** Admission by webhooks; `environment` is read at every call. */
export function webhookAdmission(environment: () => Environment): Admission {
  return {
    mutate: (attributes) => mutate(attributes, environment()),
    validate: (attributes) => validate(attributes, environment()),
  };
}

async function mutate(
  attributes: Attributes & { readonly object: KubeObject },
  environment: Environment,
): Promise<KubeObject> {
  let { object } = attributes;
  for (const webhook of webhooksOf(environment.store, "mutating")) {
    const current = { ...attributes, object };
    if (!wants(webhook, current, environment)) continue;
    const answer = await ask(webhook, current, environment);
    if (answer?.patch) object = patched(webhook, current, answer);
  }
  return object;
}

async function validate(attributes: Attributes, environment: Environment): Promise<void> {
  const asked = webhooksOf(environment.store, "validating").filter((w) => wants(w, attributes, environment));
  if (asked.length === 0) return;
  const answers = await Promise.allSettled(asked.map((webhook) => ask(webhook, attributes, environment)));
  const refused = answers.find((answer) => answer.status === "rejected");
  if (refused) throw refused.reason;
}

/** The webhook's answer, when it allows the write; undefined when it failed and that is to be ignored. */
async function ask(
  webhook: Webhook,
  attributes: Attributes,
  environment: Environment,
): Promise<ReviewAnswer | undefined> {
  if (attributes.dryRun && webhook.sideEffects !== "None" && webhook.sideEffects !== "NoneOnDryRun") {
    throw new StatusError(
      400,
      "BadRequest",
      `admission webhook ${JSON.stringify(webhook.name)} does not support dry run`,
    );
  }
  const review = reviewOf(attributes, generateUid(environment.random));
  try {
    const answer = await callWebhook(webhook, review, environment);
    attributes.call.warnings.push(...(answer.warnings ?? []));
    if (!answer.allowed) throw denied(webhook, answer);
    return answer;
  } catch (error) {
    if (!(error instanceof WebhookFailed)) throw error;
    if (webhook.failurePolicy === "Ignore") return undefined;
    throw internalError(
      new Error(`failed calling webhook ${JSON.stringify(webhook.name)}: failed to call webhook: ${error.message}`),
    );
  }
}

function denied({ name }: Webhook, { status = {} }: ReviewAnswer): StatusError {
  const head = `admission webhook ${JSON.stringify(name)} denied the request`;
  const text = status.message ?? status.reason;
  const message = text ? `${head}: ${text}` : `${head} without explanation`;
  const code = status.code !== undefined && status.code >= 400 ? status.code : 403;
  return new StatusError(code, status.reason ?? "Forbidden", message);
}

function patched(
  webhook: Webhook,
  { call, object }: Attributes & { object: KubeObject },
  answer: ReviewAnswer,
): KubeObject {
  try {
    const text = Buffer.from(answer.patch ?? "", "base64").toString("utf8");
    const { value } = decodeJsonPatch(text);
    const result = applyJsonPatch(object as unknown as JsonObject, value);
    const admitted = admitObject(call, result, [], "Ignore");
    call.resource.strategy.applyDefaults(admitted);
    return admitted;
  } catch (error) {
    if (!(error instanceof DecodeError || error instanceof PatchError)) throw error;
    throw internalError(
      new Error(`admission webhook ${JSON.stringify(webhook.name)} returned an unusable patch: ${error.message}`),
    );
  }
}
