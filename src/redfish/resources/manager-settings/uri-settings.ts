/**
 * Settings named by method and address, such as "PATCH /redfish/v1/Managers/1/NetworkProtocol", with JSON text as
 * their value: how HPE's and Lenovo's managers are configured. Takes effect at once; nothing is ever pending.
 */
import { failure, type Outcome, success } from "../../protocol/outcome.ts";
import { isRecord, type Json } from "../../protocol/read.ts";
import type { CallOptions, RedfishService } from "../../protocol/service.ts";
import type { AttributeProblem, Values } from "../attribute-validation.ts";
import type { ManagerSettings } from "./manager-settings.ts";

interface Setting {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: Json;
}

export function uriSettings(service: RedfishService): ManagerSettings {
  return {
    async read(wanted, options = {}) {
      const found: Record<string, string> = {};
      for (const [name, text] of Object.entries(wanted)) {
        const current = await readOne(service, name, text, options);
        if (!current.ok) return current;
        found[name] = current.value;
      }
      return success(found);
    },
    pending: async () => success({}),
    check: (change) => ({ values: change, needsReset: false, problems: problemsOf(change) }),
    async write(change, options = {}) {
      for (const [name, text] of Object.entries(change)) {
        const written = await writeOne(service, name, text, options);
        if (!written.ok) return written;
      }
      return success(undefined);
    },
  };
}

function problemsOf(change: Values): readonly AttributeProblem[] {
  return Object.entries(change).flatMap(([name, text]) => {
    const setting = settingOf(name, text);
    return typeof setting === "string" ? [{ name, message: setting }] : [];
  });
}

/** The parsed setting, or a sentence that says what is wrong with it. */
function settingOf(name: string, text: Values[string]): Setting | string {
  const [method, path, ...rest] = name.trim().split(/\s+/);
  if ((method !== "POST" && method !== "PATCH") || !path?.startsWith("/redfish/") || rest.length > 0)
    return `"${name}" is not of the form "PATCH /redfish/v1/…" or "POST /redfish/v1/…"`;
  const body = parsed(text);
  return isRecord(body) ? { method, path, body } : `the value of "${name}" is not the text of a JSON object`;
}

function parsed(text: Values[string]): unknown {
  try {
    return typeof text === "string" ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** The wanted text itself where the resource already is so; else what the resource says, which then differs. */
async function readOne(
  service: RedfishService,
  name: string,
  text: Values[string],
  options: CallOptions,
): Promise<Outcome<string>> {
  const setting = settingOf(name, text);
  if (typeof setting === "string") return failure("Refused", setting);
  const now = await service.get(setting.path, options);
  if (!now.ok) return now;
  return success(isSubset(setting.body, now.value.body) ? String(text) : JSON.stringify(now.value.body));
}

async function writeOne(
  service: RedfishService,
  name: string,
  text: Values[string],
  options: CallOptions,
): Promise<Outcome<unknown>> {
  const setting = settingOf(name, text);
  if (typeof setting === "string") return failure("Refused", setting);
  if (setting.method === "POST") return service.post(setting.path, setting.body, options);
  const now = await service.get(setting.path, options);
  return now.ok ? service.patch(now.value, setting.body, options) : now;
}

/** Objects are compared member by member, everything else whole. */
export function isSubset(wanted: unknown, actual: unknown): boolean {
  if (isRecord(wanted))
    return isRecord(actual) && Object.entries(wanted).every(([name, value]) => isSubset(value, actual[name]));
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) &&
      wanted.length === actual.length &&
      wanted.every((value, at) => isSubset(value, actual[at]) && isSubset(actual[at], value))
    );
  return wanted === actual;
}
