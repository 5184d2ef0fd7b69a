/** Redfish's extended error information as one readable sentence, and how its messages are told apart. */

import type { ExtendedMessage } from "./outcome.ts";
import { isRecord, readArray, readRecord, readString } from "./read.ts";

/** The messages of an error body, or of a successful one that carries annotations; empty when there are none. */
export function extendedMessages(body: unknown): readonly ExtendedMessage[] {
  const error = readRecord(body, "error");
  const listed = readArray(error ?? body, "@Message.ExtendedInfo");
  return listed.filter(isRecord).map((entry) => ({
    messageId: readString(entry, "MessageId") ?? "",
    message: (readString(entry, "Message") ?? "").trim(),
    args: readArray(entry, "MessageArgs").map(String),
    ...optional("severity", readString(entry, "MessageSeverity") ?? readString(entry, "Severity")),
    ...optional("resolution", readString(entry, "Resolution")),
  }));
}

/** The best sentence an error body has to offer: its specific messages, else the general one. */
export function errorSentence(body: unknown): string | undefined {
  const specific = extendedMessages(body)
    .map(({ message, messageId }) => message || messageId)
    .filter((text) => text !== "" && !/GeneralError/i.test(text));
  if (specific.length > 0) return [...new Set(specific)].join("; ");
  const general = readString(readRecord(body, "error"), "message")?.trim();
  return general === "" ? undefined : general;
}

/** `Base.1.8.PropertyUnknown` → `PropertyUnknown`: versions of a registry differ, keys do not. */
export function messageKey(messageId: string): string {
  return messageId.slice(messageId.lastIndexOf(".") + 1);
}

export function hasMessage(messages: readonly ExtendedMessage[] | undefined, ...keys: readonly string[]): boolean {
  return (messages ?? []).some(({ messageId }) => keys.includes(messageKey(messageId)));
}

function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
