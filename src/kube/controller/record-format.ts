/**
 * How facts and decisions are written down: JSON in which dates, maps and sets come back as themselves and secrets never
 * appear. The content of any Secret is dropped wherever it stands; values that print themselves redacted do so here.
 */

type Fields = Record<string, unknown>;

/** What stands where something was left out. */
export const REDACTED = "[redacted]";

/** Fields in which secret objects, ours and the core's, carry what nobody may read. */
const SECRET_FIELDS = new Set(["data", "stringData", "items"]);
/** kubectl keeps a copy of the whole manifest here. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
const MAX_DEPTH = 64;

/** A further look at every value before it is written, for secrets only the caller can recognise. */
export type Redaction = (value: unknown, field: string) => unknown;

/** The value as plain JSON values; what cannot be written down (functions) is left out. */
export function toRecorded(value: unknown, redact: Redaction = (v) => v): unknown {
  return encode(value, { redact, field: "", depth: 0 });
}

/** The value that `toRecorded` was given, as far as it was written down. */
export function fromRecorded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromRecorded);
  if (!isFields(value)) return value;
  const [name, ...others] = Object.keys(value);
  if (others.length === 0 && name !== undefined && name in decoders) return decoders[name]?.(value[name]);
  return mapFields(value, (inner, key) => [key.startsWith("$$") ? key.slice(1) : key, fromRecorded(inner)]);
}

const decoders: Record<string, (inner: unknown) => unknown> = {
  $date: (time) => new Date(typeof time === "string" ? time : Number.NaN),
  $map: (entries) => new Map(fromRecorded(entries) as [unknown, unknown][]),
  $set: (items) => new Set(fromRecorded(items) as unknown[]),
  $bigint: (digits) => BigInt(digits as string),
  $number: (word) => Number(word),
};

interface Position {
  readonly redact: Redaction;
  readonly field: string;
  readonly depth: number;
}

function encode(raw: unknown, at: Position): unknown {
  const value = at.redact(raw, at.field);
  if (typeof value !== "object" || value === null) return encodeScalar(value);
  return at.depth > MAX_DEPTH ? "[too deep]" : encodeObject(value, { ...at, depth: at.depth + 1 });
}

function encodeScalar(value: unknown): unknown {
  if (typeof value === "bigint") return { $bigint: `${value}` };
  if (typeof value === "number" && Object.is(value, -0)) return { $number: "-0" };
  if (typeof value === "number" && !Number.isFinite(value)) return { $number: `${value}` };
  return typeof value === "function" || typeof value === "symbol" ? undefined : value;
}

function encodeObject(value: object, at: Position): unknown {
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.toISOString() };
  if (value instanceof Map) return { $map: encode([...value], at) };
  if (value instanceof Set) return { $set: encode([...value], at) };
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.map((item) => encode(item, at) ?? null);
  if ("toJSON" in value && typeof value.toJSON === "function") return encode(value.toJSON(), at);
  return encodeFields(withoutSecrets(value as Fields), at);
}

function encodeFields(value: Fields, at: Position): Fields {
  return mapFields(value, (inner, key) => [
    key.startsWith("$") ? `$${key}` : key,
    encode(inner, { ...at, field: key }),
  ]);
}

/** A secret object loses its content, and so does a write that carries one, however its draft looks. */
function withoutSecrets(value: Fields): Fields {
  if (typeof value.kind === "string") return SECRET_KIND.test(value.kind) ? emptied(value) : value;
  if (!isFields(value.kind) || typeof value.kind.kind !== "string") return value;
  const { group, version, kind, plural, scope } = value.kind;
  const compact = { ...value, kind: { group, version, kind, plural, scope } };
  if (!SECRET_KIND.test(value.kind.kind)) return compact;
  return mapFields(compact, (inner, key) => {
    if (key === "patch") return [key, REDACTED];
    return [key, isFields(inner) && key !== "kind" ? emptied(inner) : inner];
  });
}

const SECRET_KIND = /Secret(List)?$/;

function emptied(object: Fields): Fields {
  const hidden = mapFields(object, (inner, key) => [key, SECRET_FIELDS.has(key) ? REDACTED : inner]);
  const { metadata } = hidden;
  if (!isFields(metadata) || !isFields(metadata.annotations) || !(LAST_APPLIED in metadata.annotations)) return hidden;
  return { ...hidden, metadata: { ...metadata, annotations: { ...metadata.annotations, [LAST_APPLIED]: REDACTED } } };
}

function mapFields(fields: Fields, map: (value: unknown, key: string) => [string, unknown]): Fields {
  const mapped = Object.entries(fields).map(([key, value]) => map(value, key));
  return Object.fromEntries(mapped.filter(([, value]) => value !== undefined));
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
