/** What a resource answers, before it is written to a socket. */
import type { ServerResponse } from "node:http";
import type { JsonObject } from "../json.ts";
import type { MessageKey, Saying } from "./messages.ts";

export type Reply =
  | { readonly status: number; readonly body?: JsonObject; readonly headers?: Readonly<Record<string, string>> }
  | {
      readonly status: number;
      readonly sayings: readonly Saying[];
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The resource takes the connection over, as an event stream does. */
  | { readonly takeOver: (response: ServerResponse) => void };

export const noContent: Reply = { status: 204 };

export function refuse(status: number, key: MessageKey, ...args: readonly string[]): Reply {
  return { status, sayings: [{ key, args }] };
}

export function refuseAll(status: number, sayings: readonly Saying[]): Reply {
  return { status, sayings };
}
