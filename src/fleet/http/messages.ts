/** The messages of the Base registry that we answer with, and the extended-error body made of them. */
import type { JsonObject } from "../json.ts";

interface BaseMessage {
  readonly text: string;
  readonly severity: "OK" | "Warning" | "Critical";
  readonly resolution: string;
}

const warning = (text: string, resolution: string): BaseMessage => ({ text, severity: "Warning", resolution });
const critical = (text: string, resolution: string): BaseMessage => ({ text, severity: "Critical", resolution });

export const baseMessages = {
  Success: { text: "The request completed successfully.", severity: "OK", resolution: "None." },
  Created: { text: "The resource was created successfully.", severity: "OK", resolution: "None." },
  GeneralError: critical("A general error has occurred.", "See the log for more."),
  InternalError: critical(
    "The service failed in a way it did not expect.",
    "Send the request again; restart the service if it persists.",
  ),
  ResourceMissingAtURI: critical("There is no resource at '%1'.", "Put a resource there or correct the address."),
  NoValidSession: critical("There is no valid session for this request.", "Log in and use the session's token."),
  InsufficientPrivilege: critical("The account lacks the privileges for this operation.", "Use another account."),
  OperationNotAllowed: critical("The method is not allowed on this resource.", "See the Allow header."),
  ActionNotSupported: critical("The action '%1' is not supported.", "See the actions of the resource."),
  ActionParameterMissing: critical("The action '%1' needs the parameter '%2'.", "Add the parameter."),
  ActionParameterUnknown: warning("The action '%1' knows no parameter '%2'.", "Leave the parameter out."),
  ActionParameterNotSupported: warning("The parameter '%1' of '%2' is not supported.", "Leave the parameter out."),
  ActionParameterValueNotInList: warning(
    "'%1' for the parameter '%2' of '%3' is not among the allowed values.",
    "Choose an allowed value.",
  ),
  ActionParameterValueTypeError: warning(
    "'%1' for the parameter '%2' of '%3' has the wrong type.",
    "Correct the type.",
  ),
  PropertyUnknown: warning("The property '%1' is unknown to the resource.", "Leave the property out."),
  PropertyNotWritable: warning("The property '%1' is read-only.", "Leave the property out."),
  PropertyMissing: warning("The property '%1' is required.", "Add the property."),
  PropertyValueTypeError: warning("'%1' for the property '%2' has the wrong type.", "Correct the type."),
  PropertyValueNotInList: warning(
    "'%1' for the property '%2' is not among the allowed values.",
    "Choose an allowed value.",
  ),
  PropertyValueOutOfRange: warning("'%1' for the property '%2' is out of range.", "Choose a value within the range."),
  PropertyValueFormatError: warning("'%1' for the property '%2' has the wrong format.", "Correct the format."),
  PropertyValueConflict: warning(
    "The property '%1' cannot be written while '%2' is as it is.",
    "Change the other property first.",
  ),
  MalformedJSON: critical("The body is not valid JSON.", "Correct the body."),
  NoOperation: warning("The request asks for nothing that could be changed.", "Say what to change."),
  UnrecognizedRequestBody: warning("The body could not be understood.", "Correct the body."),
  PreconditionFailed: critical("The ETag given does not match the resource.", "Read the resource again."),
  ResourceAlreadyExists: critical("A resource of type '%1' with '%2' '%3' exists already.", "Use another value."),
  ResourceInUse: warning("The resource is in use or in transition.", "Try again later."),
  CreateLimitReachedForResource: critical("No more resources can be created.", "Delete one first."),
  SessionLimitExceeded: critical("Every session is taken.", "End a session first."),
  ServiceTemporarilyUnavailable: critical("The service is unavailable for %1 seconds.", "Wait and try again."),
  QueryNotSupportedOnResource: warning("Queries are not supported on this resource.", "Leave the query out."),
  QueryParameterValueFormatError: warning(
    "'%1' for the query parameter '%2' has the wrong format.",
    "Correct the query.",
  ),
  QueryParameterOutOfRange: warning("'%1' for the query parameter '%2' is out of range (%3).", "Correct the query."),
} as const satisfies Record<string, BaseMessage>;

export type MessageKey = keyof typeof baseMessages;

export interface Saying {
  readonly key: MessageKey;
  readonly args?: readonly string[];
  /** JSON pointers of the members it is about. */
  readonly about?: readonly string[];
}

export interface RegistryName {
  readonly registry: string;
  readonly version: string;
}

export function messageOf({ key, args = [], about }: Saying, { registry, version }: RegistryName): JsonObject {
  const { text, severity, resolution } = baseMessages[key];
  return {
    "@odata.type": "#Message.v1_1_2.Message",
    MessageId: `${registry}.${version}.${key}`,
    Message: text.replace(/%(\d)/g, (_, n: string) => args[Number(n) - 1] ?? ""),
    MessageArgs: [...args],
    RelatedProperties: about ? [...about] : undefined,
    Severity: severity,
    MessageSeverity: severity,
    Resolution: resolution,
  };
}

/** The error body of the protocol: one message stands for itself, several stand under a general one. */
export function errorBody(sayings: readonly Saying[], name: RegistryName): JsonObject {
  const messages = sayings.map((saying) => messageOf(saying, name));
  const [only] = messages;
  const summary = messages.length === 1 && only ? only : messageOf({ key: "GeneralError" }, name);
  return {
    error: {
      code: String(summary.MessageId),
      message: String(summary.Message),
      "@Message.ExtendedInfo": messages,
    },
  };
}
