/** Server-side apply: merges what one manager wants into the live object and records who owns what. */
import type { KubeObject } from "#kinds";
import { badRequest } from "../http/status-error.ts";
import type { JsonObject } from "../json.ts";
import type { Call, Environment } from "./call.ts";
import type { Changed } from "./update.ts";
import type { WriteOptions } from "./write-options.ts";

export async function apply(
  _call: Call,
  _environment: Environment,
  _configuration: JsonObject,
  _options: WriteOptions,
): Promise<Changed> {
  throw badRequest("server-side apply is not available");
}

export type Applied = KubeObject;
