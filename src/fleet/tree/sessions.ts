/** SessionService: log in, look, log out. */
import { collection, head, type Place, type Resource, ref, uri } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { problemsOf } from "./writable.ts";

const offered = ({ profile }: Place): boolean => profile.sessions !== undefined;

export const sessionResources: readonly Resource[] = [
  { path: "/SessionService", read: serviceBody, patch: patchService },
  collection(
    "/SessionService/Sessions",
    { type: "SessionCollection", name: "Session Collection" },
    (at) => (offered(at) ? at.bmc.sessions.list().map(({ id }) => id) : undefined),
    { post: logIn, openPost: true },
  ),
  { path: "/SessionService/Sessions/{session}", read: sessionBody, remove: logOut },
];

function serviceBody(at: Place): JsonObject | undefined {
  if (!offered(at)) return undefined;
  return {
    ...head(at, "SessionService", "SessionService", "Session Service"),
    ServiceEnabled: true,
    SessionTimeout: at.bmc.sessions.timeoutSeconds,
    Sessions: ref(at, "SessionService", "Sessions"),
    Status: { State: "Enabled", Health: "OK" },
  };
}

function patchService(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const wrong = problemsOf(body, serviceBody(at) ?? {}, { SessionTimeout: true });
  if (wrong.length > 0) return { status: 400, sayings: wrong };
  const timeout = Number(body.SessionTimeout);
  if (timeout < 30 || timeout > 86_400)
    return refuse(400, "PropertyValueOutOfRange", String(timeout), "SessionTimeout");
  at.bmc.sessions.timeoutSeconds = timeout;
  return noContent;
}

function logIn(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const { UserName: username, Password: password } = body;
  if (typeof username !== "string") return refuse(400, "PropertyMissing", "UserName");
  if (typeof password !== "string") return refuse(400, "PropertyMissing", "Password");
  if (!at.bmc.accounts.check(username, password, at.bmc.world.clock.monotonic())) return refuse(401, "NoValidSession");
  const session = at.bmc.fault("sessions-full") ? undefined : at.bmc.sessions.open(username);
  if (!session) return allTaken(at);
  const path = uri(at, "SessionService", "Sessions", session.id);
  const shown = sessionBody({ ...at, path: path.replace(/\/$/, ""), params: { session: session.id } });
  return {
    status: 201,
    ...(shown ? { body: shown } : {}),
    headers: { location: path, "x-auth-token": session.token },
  };
}

function allTaken(at: Place): Reply {
  const full = at.profile.sessions?.full ?? { status: 503, message: "SessionLimitExceeded" };
  if (full.message === "SessionLimitExceeded") return refuse(full.status, "SessionLimitExceeded");
  const text = "The maximum number of user sessions is reached.";
  const info = {
    MessageId: full.message,
    Message: text,
    MessageArgs: [],
    Severity: "Warning",
    Resolution: "Close a session.",
  };
  return {
    status: full.status,
    body: { error: { code: full.message, message: text, "@Message.ExtendedInfo": [info] } },
  };
}

function sessionBody(at: Place): JsonObject | undefined {
  const session = offered(at) ? at.bmc.sessions.get(at.params.session ?? "") : undefined;
  if (!session) return undefined;
  return {
    ...head(at, "Session", session.id, `Session of ${session.username}`),
    UserName: session.username,
    CreatedTime: session.created.toISOString(),
  };
}

function logOut(at: Place): Reply {
  at.bmc.sessions.end(at.params.session ?? "");
  return noContent;
}
