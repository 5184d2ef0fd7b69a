/** EventService: subscriptions, the test event, and the event stream. */
import type { Subscription } from "../bmc/events.ts";
import { collection, head, type Place, type Resource, ref, uri } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import { isObject, type JsonObject } from "../json.ts";

export const eventResources: readonly Resource[] = [
  { path: "/EventService", read: serviceBody },
  { path: "/EventService/SSE", read: streamExists, stream },
  { path: "/EventService/Actions/EventService.SubmitTestEvent", post: submitTestEvent },
  collection(
    "/EventService/Subscriptions",
    { type: "EventDestinationCollection", name: "Event Subscriptions" },
    ({ bmc, profile }) => (profile.events ? bmc.subscriptions.list().map(({ id }) => id) : undefined),
    { post: subscribe },
  ),
  { path: "/EventService/Subscriptions/{subscription}", read: subscriptionBody, remove: unsubscribe },
];

function serviceBody(at: Place): JsonObject | undefined {
  const { events } = at.profile;
  if (!events) return undefined;
  const target = uri(at, "EventService", "Actions", "EventService.SubmitTestEvent");
  return {
    ...head(at, "EventService", "EventService", "Event Service"),
    ServiceEnabled: true,
    DeliveryRetryAttempts: 3,
    DeliveryRetryIntervalSeconds: 1,
    EventFormatTypes: ["Event", "MetricReport"],
    RegistryPrefixes: ["Base", "ResourceEvent", "TaskEvent"],
    ServerSentEventUri: events.sse ? uri(at, "EventService", "SSE") : undefined,
    Subscriptions: ref(at, "EventService", "Subscriptions"),
    Actions: { "#EventService.SubmitTestEvent": { target } },
    Status: { State: "Enabled", Health: "OK" },
  };
}

function streamExists({ profile }: Place): JsonObject | undefined {
  return profile.events?.sse ? {} : undefined;
}

function stream({ bmc }: Place): Reply {
  return { takeOver: (response) => bmc.subscriptions.stream(response) };
}

function subscribe(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const { events } = at.profile;
  const { Destination: destination, EventFormatType: format = "Event", Protocol: protocol, Context: context } = body;
  if (!events) return refuse(404, "ResourceMissingAtURI", at.path);
  if (typeof destination !== "string" || !/^https?:\/\//.test(destination))
    return refuse(400, "PropertyMissing", "Destination");
  if (protocol !== "Redfish") return refuse(400, "PropertyValueNotInList", String(protocol), "Protocol");
  if (format !== "Event" && format !== "MetricReport")
    return refuse(400, "PropertyValueNotInList", String(format), "EventFormatType");
  if ("DeliveryRetryPolicy" in body && !events.retryPolicy)
    return refuse(400, "PropertyUnknown", "DeliveryRetryPolicy");
  const { subscriptions } = at.bmc;
  if (subscriptions.list().some((one) => one.destination === destination && one.format === format))
    return refuse(400, "ResourceAlreadyExists", "EventDestination", "Destination", destination);
  if (subscriptions.list().length >= events.slots) return refuse(400, "CreateLimitReachedForResource");
  const made = subscriptions.add({
    destination,
    format,
    protocol,
    context: typeof context === "string" ? context : undefined,
    retryPolicy: String(body.DeliveryRetryPolicy ?? "TerminateAfterRetries"),
    headers: headersOf(body),
  });
  if (format === "MetricReport") at.bmc.reportMetrics();
  return {
    status: 201,
    body: shape(at, made),
    headers: { location: uri(at, "EventService", "Subscriptions", made.id) },
  };
}

function headersOf(body: JsonObject): Record<string, string> {
  const given = Array.isArray(body.HttpHeaders) ? (body.HttpHeaders as readonly unknown[]) : [];
  const pairs = given.filter(isObject).flatMap((one) => Object.entries(one));
  return Object.fromEntries(pairs.filter((pair): pair is [string, string] => typeof pair[1] === "string"));
}

function subscriptionBody(at: Place): JsonObject | undefined {
  const found = at.profile.events && at.bmc.subscriptions.get(at.params.subscription ?? "");
  return found && shape(at, found);
}

function shape(at: Place, one: Subscription): JsonObject {
  const path = uri(at, "EventService", "Subscriptions", one.id).replace(/\/$/, "");
  return {
    ...head({ ...at, path }, "EventDestination", one.id, `Subscription ${one.id}`),
    Destination: one.destination,
    Context: one.context ?? null,
    Protocol: one.protocol,
    EventFormatType: one.format,
    SubscriptionType: "RedfishEvent",
    DeliveryRetryPolicy: at.profile.events?.retryPolicy ? one.retryPolicy : undefined,
    HttpHeaders: [],
    Status: { State: "Enabled", Health: "OK" },
  };
}

function unsubscribe(at: Place): Reply {
  at.bmc.subscriptions.remove(at.params.subscription ?? "");
  return noContent;
}

function submitTestEvent(at: Place, { body }: { readonly body: JsonObject }): Reply {
  if (!at.profile.events) return refuse(404, "ResourceMissingAtURI", at.path);
  const messageId = body.MessageId ?? "ResourceEvent.1.0.TestMessage";
  at.bmc.announce({ messageId: String(messageId), message: String(body.Message ?? "Test event."), severity: "OK" });
  return noContent;
}
