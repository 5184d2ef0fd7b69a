/** AccountService: policy, accounts and roles; created by POST, or by filling a fixed slot. */
import type { Account } from "../bmc/accounts.ts";
import { collection, head, type Place, type Resource, ref, uri } from "../http/place.ts";
import { noContent, type Reply, refuse } from "../http/reply.ts";
import type { JsonObject } from "../json.ts";
import { problemsOf } from "./writable.ts";

const roles: Readonly<Record<string, readonly string[]>> = {
  Administrator: ["Login", "ConfigureManager", "ConfigureUsers", "ConfigureComponents", "ConfigureSelf"],
  Operator: ["Login", "ConfigureComponents", "ConfigureSelf"],
  ReadOnly: ["Login", "ConfigureSelf"],
};

export const accountResources: readonly Resource[] = [
  {
    path: "/AccountService",
    read: serviceBody,
    patch: patchService,
  },
  collection(
    "/AccountService/Accounts",
    { type: "ManagerAccountCollection", name: "Accounts" },
    ({ bmc }) => bmc.accounts.list().map(({ id }) => id),
    { post: createAccount },
  ),
  { path: "/AccountService/Accounts/{account}", read: accountBody, patch: patchAccount, remove: removeAccount },
  collection("/AccountService/Roles", { type: "RoleCollection", name: "Roles" }, () => Object.keys(roles)),
  { path: "/AccountService/Roles/{role}", read: roleBody },
];

function serviceBody(at: Place): JsonObject {
  return {
    ...head(at, "AccountService", "AccountService", "Account Service"),
    ServiceEnabled: true,
    MinPasswordLength: at.bmc.accounts.minPasswordLength,
    MaxPasswordLength: at.bmc.accounts.maxPasswordLength,
    AccountLockoutThreshold: at.bmc.accounts.lockoutThreshold,
    AccountLockoutDuration: at.bmc.accounts.lockoutSeconds,
    Accounts: ref(at, "AccountService", "Accounts"),
    Roles: ref(at, "AccountService", "Roles"),
    Status: { State: "Enabled", Health: "OK" },
  };
}

function patchService(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const { accounts } = at.bmc;
  const writable = { AccountLockoutThreshold: true, AccountLockoutDuration: true } as const;
  const wrong = problemsOf(body, serviceBody(at), writable);
  if (wrong.length > 0) return { status: 400, sayings: wrong };
  accounts.lockoutThreshold = Number(body.AccountLockoutThreshold ?? accounts.lockoutThreshold);
  accounts.lockoutSeconds = Number(body.AccountLockoutDuration ?? accounts.lockoutSeconds);
  return noContent;
}

function accountAt(at: Place): Account | undefined {
  return at.bmc.accounts.get(at.params.account ?? "");
}

function accountBody(at: Place): JsonObject | undefined {
  const account = accountAt(at);
  if (!account) return undefined;
  return {
    ...head(at, "ManagerAccount", account.id, "User Account"),
    UserName: account.username,
    Password: null,
    RoleId: account.role,
    Enabled: account.enabled,
    Locked: at.bmc.accounts.isLocked(account, at.bmc.world.clock.monotonic()),
    AccountTypes: ["Redfish"],
    Links: account.role in roles ? { Role: ref(at, "AccountService", "Roles", account.role) } : {},
  };
}

function createAccount(at: Place, { body }: { readonly body: JsonObject }): Reply {
  if (at.profile.accounts.create === "patch-slot")
    return { ...refuse(405, "OperationNotAllowed"), headers: { allow: "GET, HEAD, OPTIONS" } };
  const { UserName: username, Password: password, RoleId: role = "ReadOnly" } = body;
  if (typeof username !== "string" || username === "") return refuse(400, "PropertyMissing", "UserName");
  if (typeof password !== "string") return refuse(400, "PropertyMissing", "Password");
  const refused = refusal(at, { ...body, RoleId: role }, undefined);
  if (refused) return refused;
  const account = at.bmc.accounts.create({
    username,
    password,
    role: String(role),
    enabled: body.Enabled !== false,
  });
  if (!account) return refuse(400, "CreateLimitReachedForResource");
  const location = uri(at, "AccountService", "Accounts", account.id);
  const shown = accountBody({ ...at, path: location.replace(/\/$/, ""), params: { account: account.id } });
  return { status: 201, ...(shown ? { body: shown } : {}), headers: { location } };
}

/** Password policy, known roles, and no name twice. */
function refusal(
  at: Place,
  { Password: password, RoleId: role, UserName: username }: JsonObject,
  self: Account | undefined,
): Reply | undefined {
  const { accounts } = at.bmc;
  const length = typeof password === "string" ? password.length : accounts.minPasswordLength;
  if (length < accounts.minPasswordLength || length > accounts.maxPasswordLength)
    return refuse(400, "PropertyValueFormatError", "******", "Password");
  if (role !== undefined && !(String(role) in roles))
    return refuse(400, "PropertyValueNotInList", String(role), "RoleId");
  const holder = typeof username === "string" ? accounts.named(username) : undefined;
  if (holder && holder !== self)
    return refuse(400, "ResourceAlreadyExists", "ManagerAccount", "UserName", String(username));
  return undefined;
}

function patchAccount(at: Place, { body }: { readonly body: JsonObject }): Reply {
  const account = accountAt(at);
  if (!account) return refuse(404, "ResourceMissingAtURI", at.path);
  const wrong = problemsOf(body, accountBody(at) ?? {}, {
    UserName: true,
    Password: true,
    RoleId: true,
    Enabled: true,
  });
  if (wrong.length > 0) return { status: 400, sayings: wrong };
  const isEmptied = body.UserName === "";
  if (account.id === "1" && isEmptied) return refuse(400, "PropertyNotWritable", "UserName");
  const refused = refusal(at, body, account);
  if (refused) return refused;
  account.username = String(body.UserName ?? account.username);
  account.password = String(body.Password ?? account.password);
  account.role = isEmptied ? "None" : String(body.RoleId ?? account.role);
  account.enabled = Boolean(body.Enabled ?? account.enabled);
  return noContent;
}

function removeAccount(at: Place): Reply {
  const account = accountAt(at);
  if (!account) return refuse(404, "ResourceMissingAtURI", at.path);
  if (at.profile.accounts.create === "patch-slot")
    return { ...refuse(405, "OperationNotAllowed"), headers: { allow: "GET, HEAD, PATCH, OPTIONS" } };
  at.bmc.accounts.remove(account.id);
  return noContent;
}

function roleBody(at: Place): JsonObject | undefined {
  const id = at.params.role ?? "";
  const privileges = roles[id];
  if (!privileges) return undefined;
  return { ...head(at, "Role", id, `${id} Role`), RoleId: id, IsPredefined: true, AssignedPrivileges: privileges };
}
