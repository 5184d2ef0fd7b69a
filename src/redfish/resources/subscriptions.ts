/** Event subscriptions: made once, found again when the BMC says they exist, verified, and removed. */
import { hasMessage } from "../protocol/extended-error.ts";
import { type Failure, failure, type Outcome, success } from "../protocol/outcome.ts";
import { readBoolean, readLink, readString, reported } from "../protocol/read.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { pathOf } from "../protocol/session.ts";

export interface WantedSubscription {
  readonly destination: string;
  readonly format: "Event" | "MetricReport";
  readonly context: string;
  /** Sent with each event, so that a receiver knows who calls. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Subscription {
  readonly path: string;
  readonly destination?: string;
  readonly context?: string;
  readonly format?: string;
}

const DUPLICATE = ["ResourceAlreadyExists", "PropertyValueModified"] as const;

export function subscriptionOf({ path, body }: Resource): Subscription {
  return {
    path,
    ...reported({
      destination: readString(body, "Destination"),
      context: readString(body, "Context"),
      format: readString(body, "EventFormatType"),
    }),
  };
}

/** Subscribes; where the BMC says that this exists already, finds it. */
export async function subscribe(
  service: RedfishService,
  eventService: string | undefined,
  wanted: WantedSubscription,
  options: CallOptions = {},
): Promise<Outcome<Subscription>> {
  const collection = await subscriptionsOf(service, eventService, options);
  if (!collection.ok) return collection;
  const answer = await service.post(collection.value, subscriptionBody(service, wanted), options);
  if (!answer.ok)
    return isDuplicate(service, answer.failure, wanted)
      ? findSubscription(service, collection.value, { wanted, refused: answer }, options)
      : answer;
  const { headers, body } = answer.value.answer;
  const path = headers.location ?? readString(body, "@odata.id");
  if (path !== undefined) return success({ ...described(wanted), path: pathOf(path) });
  const missing = failure("BrokenAnswer", `${collection.value} took a subscription and does not say where it is`);
  return findSubscription(service, collection.value, { wanted, refused: missing }, options);
}

function described({ destination, context, format }: WantedSubscription): Omit<Subscription, "path"> {
  return { destination, context, format };
}

async function subscriptionsOf(
  service: RedfishService,
  eventService: string | undefined,
  options: CallOptions,
): Promise<Outcome<string>> {
  if (eventService === undefined) return failure("NotSupported", "the BMC has no event service");
  const resource = await service.get(eventService, options);
  if (!resource.ok) return resource;
  const { body } = resource.value;
  if (readBoolean(body, "ServiceEnabled") === false) return failure("NotSupported", `${eventService} is switched off`);
  const subscriptions = readLink(body, "Subscriptions");
  if (subscriptions === undefined) return failure("NotSupported", `${eventService} names no subscriptions`);
  return success(subscriptions);
}

function subscriptionBody({ quirks }: RedfishService, wanted: WantedSubscription): Record<string, unknown> {
  const { destination, format, context, headers } = wanted;
  return {
    Destination: destination,
    EventFormatType: format,
    Protocol: "Redfish",
    Context: context,
    ...(quirks.noDeliveryRetryPolicy ? {} : { DeliveryRetryPolicy: "TerminateAfterRetries" }),
    ...(headers ? { HttpHeaders: Object.entries(headers).map(([name, value]) => ({ [name]: value })) } : {}),
  };
}

/** A vague message counts only when it speaks of our destination. */
function isDuplicate({ quirks }: RedfishService, refused: Failure, { destination }: WantedSubscription): boolean {
  const [sure, vague] = quirks.duplicateSubscription ?? DUPLICATE;
  if (hasMessage(refused.extended, sure ?? "")) return true;
  const speaksOfUs = (refused.extended ?? []).some(
    ({ message, args }) => message.includes(destination) || args.includes(destination),
  );
  return vague !== undefined && hasMessage(refused.extended, vague) && speaksOfUs;
}

interface Sought {
  readonly wanted: WantedSubscription;
  /** What to answer when it is not there after all. */
  readonly refused: Outcome<never>;
}

async function findSubscription(
  service: RedfishService,
  collection: string,
  { wanted, refused }: Sought,
  options: CallOptions,
): Promise<Outcome<Subscription>> {
  const members = await service.members(collection, options);
  if (!members.ok) return members;
  const found = members.value.map(subscriptionOf).find((one) => isOurs(one, wanted));
  return found ? success(found) : refused;
}

function isOurs({ destination, context, format }: Subscription, wanted: WantedSubscription): boolean {
  const sameFormat = format === undefined || format === wanted.format;
  return destination === wanted.destination && context === wanted.context && sameFormat;
}

/** Whether the subscription is still there and still ours: factory resets and slot reuse end it silently. */
export async function verifySubscription(
  service: RedfishService,
  path: string,
  wanted: WantedSubscription,
  options: CallOptions = {},
): Promise<Outcome<boolean>> {
  const resource = await service.get(path, options);
  if (resource.ok) return success(isOurs(subscriptionOf(resource.value), wanted));
  return resource.failure.code === "NotFound" ? success(false) : resource;
}

/** Ends it; one that is gone is ended. */
export async function unsubscribe(
  service: RedfishService,
  path: string,
  options: CallOptions = {},
): Promise<Outcome<undefined>> {
  const answer = await service.delete(path, options);
  return answer.ok || answer.failure.code === "NotFound" ? success(undefined) : answer;
}
