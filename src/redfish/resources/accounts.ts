/** Accounts on the BMC: created by POST or by filling an empty slot, changed, and removed. Passwords never leave in a failure. */
import { failure, type Outcome, success } from "../protocol/outcome.ts";
import { readBoolean, readLink, readNumber, readString, reported } from "../protocol/read.ts";
import { withoutSecrets } from "../protocol/redact.ts";
import type { CallOptions, RedfishService, Resource } from "../protocol/service.ts";
import { pathOf } from "../protocol/session.ts";
import { COMMON_SPECIALS, type PasswordPolicy } from "./password.ts";

export interface Account {
  readonly path: string;
  readonly id?: string;
  readonly userName?: string;
  readonly role?: string;
  readonly enabled?: boolean;
  readonly locked?: boolean;
}

export interface WantedAccount {
  readonly userName: string;
  readonly role: string;
  /** Undefined leaves the password of an existing account alone. */
  readonly password?: () => string;
}

export interface AccountService {
  readonly accounts: string;
  readonly policy: PasswordPolicy;
  readonly lockoutThreshold?: number;
}

/** The first slot belongs to the factory's administrator, or is reserved. */
const RESERVED_SLOT = "1";

export async function readAccountService(
  service: RedfishService,
  path: string | undefined,
  options: CallOptions = {},
): Promise<Outcome<AccountService>> {
  if (path === undefined) return failure("NotSupported", "the BMC has no account service");
  const resource = await service.get(path, options);
  if (!resource.ok) return resource;
  const { body } = resource.value;
  const accounts = readLink(body, "Accounts");
  if (accounts === undefined) return failure("NotSupported", `${path} names no accounts`);
  return success({
    accounts,
    policy: {
      ...reported({
        minLength: readNumber(body, "MinPasswordLength"),
        maxLength: readNumber(body, "MaxPasswordLength"),
      }),
      specials: service.quirks.passwordSpecials ?? COMMON_SPECIALS,
    },
    ...reported({ lockoutThreshold: readNumber(body, "AccountLockoutThreshold") }),
  });
}

export function accountOf({ path, body }: Resource): Account {
  return {
    path,
    ...reported({
      id: readString(body, "Id"),
      userName: readString(body, "UserName"),
      role: readString(body, "RoleId"),
      enabled: readBoolean(body, "Enabled"),
      locked: readBoolean(body, "Locked"),
    }),
  };
}

/** Makes the account be as wanted: changed where the name exists, else created, else put into an empty slot. */
export async function ensureAccount(
  service: RedfishService,
  { accounts }: AccountService,
  wanted: WantedAccount,
  options: CallOptions = {},
): Promise<Outcome<Account>> {
  const listed = await service.members(accounts, options);
  if (!listed.ok) return listed;
  const existing = listed.value.find(({ body }) => readString(body, "UserName") === wanted.userName);
  const made = existing
    ? await changeAccount(service, existing, wanted, options)
    : await createAccount(service, { accounts, listed: listed.value }, wanted, options);
  return withoutSecrets(made, wanted.password ? [wanted.password()] : []);
}

async function changeAccount(
  service: RedfishService,
  account: Resource,
  { role, password, userName }: WantedAccount,
  options: CallOptions,
): Promise<Outcome<Account>> {
  const { role: now, enabled } = accountOf(account);
  if (password === undefined && now === role && enabled === true) return success(accountOf(account));
  if (password === undefined && service.quirks.accountChangeNeedsPassword)
    return failure("Refused", `${account.path}: this BMC changes ${userName} only together with its password`);
  const body = { RoleId: role, Enabled: true, ...(password ? { Password: password() } : {}) };
  const changed = await service.patch(account, body, options);
  return changed.ok ? reread(service, account.path, options) : changed;
}

interface Slots {
  readonly accounts: string;
  readonly listed: readonly Resource[];
}

async function createAccount(
  service: RedfishService,
  { accounts, listed }: Slots,
  { userName, role, password }: WantedAccount,
  options: CallOptions,
): Promise<Outcome<Account>> {
  if (password === undefined) return failure("Refused", `${accounts}: ${userName} does not exist and has no password`);
  const body = { UserName: userName, RoleId: role, Enabled: true, Password: password() };
  const posted = await service.post(accounts, body, options);
  if (posted.ok) {
    const { headers, body: made } = posted.value.answer;
    const path = headers.location ?? readString(made, "@odata.id");
    return path === undefined ? success({ path: accounts, userName, role }) : reread(service, pathOf(path), options);
  }
  if (posted.failure.code !== "NotSupported") return posted;
  const slot = listed.find(isFree);
  if (!slot) return failure("Refused", `${accounts} takes no new accounts and has no empty slot`);
  const filled = await service.patch(slot, body, options);
  return filled.ok ? reread(service, slot.path, options) : filled;
}

function isFree({ body }: Resource): boolean {
  return readString(body, "UserName") === undefined && readString(body, "Id") !== RESERVED_SLOT;
}

async function reread(service: RedfishService, path: string, options: CallOptions): Promise<Outcome<Account>> {
  const now = await service.get(path, options);
  return now.ok ? success(accountOf(now.value)) : now;
}

/** Removes the account with this name and Id; one that is not there is removed already. */
export async function removeAccount(
  service: RedfishService,
  { accounts }: AccountService,
  { userName, id }: { readonly userName: string; readonly id: string },
  options: CallOptions = {},
): Promise<Outcome<{ readonly changed: boolean }>> {
  const listed = await service.members(accounts, options);
  if (!listed.ok) return listed;
  const account = listed.value.find(({ body }) => body.UserName === userName && readString(body, "Id") === id);
  if (!account) return success({ changed: false });
  const deleted = await service.delete(account.path, options);
  if (deleted.ok || deleted.failure.code === "NotFound") return success({ changed: deleted.ok });
  if (deleted.failure.code !== "NotSupported") return deleted;
  const emptied = await service.patch(account, { UserName: "", Enabled: false }, options);
  return emptied.ok ? success({ changed: true }) : emptied;
}
