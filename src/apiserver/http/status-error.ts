/** Refusals as upstream words them: a `Status` body with its HTTP code. Thrown anywhere, written by the pipeline. */

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

export interface StatusDetails {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: readonly StatusCause[];
  retryAfterSeconds?: number;
}

export interface StatusBody {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Which objects a refusal is about: group and plural, as in a URL. */
export interface GroupResource {
  readonly group: string;
  readonly plural: string;
}

/** A refusal with upstream's body. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly body: StatusBody;
  readonly code: number;

  constructor(code: number, reason: string, message: string, details?: StatusDetails) {
    super(message);
    this.code = code;
    const head = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure", message } as const;
    this.body = { ...head, ...(reason && { reason }), ...(details && { details }), code };
  }
}

/** `plural.group`, or `plural` for the core group. */
export function qualified({ group, plural }: GroupResource): string {
  return group === "" ? plural : `${plural}.${group}`;
}

function about(resource: GroupResource, name: string): StatusDetails {
  return {
    ...(name && { name }),
    ...(resource.group && { group: resource.group }),
    ...(resource.plural && { kind: resource.plural }),
  };
}

export const notFound = (resource: GroupResource, name: string): StatusError =>
  new StatusError(404, "NotFound", `${qualified(resource)} "${name}" not found`, about(resource, name));

export const unknownResource = (): StatusError =>
  new StatusError(404, "NotFound", "the server could not find the requested resource", {});

export const alreadyExists = (resource: GroupResource, name: string): StatusError =>
  new StatusError(409, "AlreadyExists", `${qualified(resource)} "${name}" already exists`, about(resource, name));

export const conflict = (resource: GroupResource, name: string, why: string): StatusError =>
  new StatusError(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${qualified(resource)} "${name}": ${why}`,
    about(resource, name),
  );

export const modified = (resource: GroupResource, name: string): StatusError =>
  conflict(
    resource,
    name,
    "the object has been modified; please apply your changes to the latest version and try again",
  );

export const badRequest = (message: string): StatusError => new StatusError(400, "BadRequest", message);

export const forbidden = (resource: GroupResource, name: string, why: string, causes?: StatusCause[]): StatusError =>
  new StatusError(403, "Forbidden", `${qualified(resource)}${name ? ` "${name}"` : ` ""`} is forbidden: ${why}`, {
    ...about(resource, name),
    ...(causes && { causes }),
  });

export const unauthorized = (): StatusError => new StatusError(401, "Unauthorized", "Unauthorized");

export const methodNotAllowed = (resource: GroupResource, action: string): StatusError =>
  new StatusError(
    405,
    "MethodNotAllowed",
    `${action} is not supported on resources of kind "${qualified(resource)}"`,
    about(resource, ""),
  );

export const methodUnknown = (): StatusError =>
  new StatusError(405, "MethodNotAllowed", "the server does not allow this method on the requested resource", {});

export const notAcceptable = (supported: string): StatusError =>
  new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${supported}`);

export const unsupportedMediaType = (supported: string): StatusError =>
  new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${supported}`,
  );

export const tooLarge = (limitBytes: number): StatusError =>
  new StatusError(413, "RequestEntityTooLarge", `Request entity too large: limit is ${limitBytes}`);

export const expired = (message: string): StatusError => new StatusError(410, "Expired", message);

export const invalid = (
  kind: { readonly group: string; readonly kind: string },
  name: string,
  causes: readonly StatusCause[],
): StatusError => {
  const who = kind.group ? `${kind.kind}.${kind.group}` : kind.kind;
  const texts = causes.map((c) => `${c.field}: ${c.message}`);
  const text = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new StatusError(422, "Invalid", `${who} "${name}" is invalid: ${text}`, {
    ...(name && { name }),
    ...(kind.group && { group: kind.group }),
    kind: kind.kind,
    causes,
  });
};

export const internalError = (error: unknown): StatusError => {
  const text = error instanceof Error ? error.message : String(error);
  return new StatusError(500, "InternalError", `Internal error occurred: ${text}`, { causes: [{ message: text }] });
};

export const tooManyRequests = (retryAfterSeconds: number): StatusError =>
  new StatusError(429, "TooManyRequests", "too many requests, please try again later", { retryAfterSeconds });

export const futureRevision = (asked: string, current: number): StatusError =>
  new StatusError(504, "Timeout", `Timeout: Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    retryAfterSeconds: 1,
  });

export function success(resource: GroupResource, name: string, uid: string | undefined): StatusBody {
  const details: StatusDetails = { ...about(resource, name), ...(uid && { uid }) };
  return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", details };
}
