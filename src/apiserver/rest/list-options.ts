/** The query of lists and watches, read once and refused in full when it makes no sense. */
import { type FieldError, forbidden, notSupported } from "../field-error.ts";
import { badRequest, StatusError } from "../http/status-error.ts";
import {
  checkSupportedFields,
  everything,
  type FieldSelector,
  type LabelSelector,
  parseFieldSelector,
  parseLabelSelector,
  SelectorError,
} from "../selector/index.ts";
import type { Call } from "./call.ts";
import { refuse } from "./write-options.ts";

export interface ListOptions {
  readonly labels: LabelSelector;
  readonly fields: FieldSelector | undefined;
  readonly limit: number;
  readonly continueToken: string;
  /** Undefined: whatever is newest. */
  readonly revision: number | undefined;
  readonly match: "" | "Exact" | "NotOlderThan";
  readonly watch: boolean;
  readonly bookmarks: boolean;
  readonly sendInitialEvents: boolean | undefined;
  readonly timeoutSeconds: number | undefined;
}

export function listOptions(call: Call): ListOptions {
  const { query } = call.request;
  const watch = call.info.verb === "watch";
  const match = query.get("resourceVersionMatch") ?? "";
  const initial = query.get("sendInitialEvents");
  const options = {
    limit: wholeNumber(query.get("limit")) ?? 0,
    timeoutSeconds: wholeNumber(query.get("timeoutSeconds")),
    continueToken: query.get("continue") ?? "",
    match: match as ListOptions["match"],
    watch,
    bookmarks: isTrue(query.get("allowWatchBookmarks")),
    sendInitialEvents: initial === null ? undefined : isTrue(initial),
  };
  const version = query.get("resourceVersion") ?? "";
  refuse("ListOptions", watch ? watchErrors(options) : listErrors(options, version));
  const selectors = readSelectors(call);
  return { ...options, ...selectors, revision: revisionOf(version, watch) };
}

function wholeNumber(text: string | null): number | undefined {
  if (text === null || text === "") return undefined;
  if (!/^[-+]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
  return Number(text);
}

function isTrue(text: string | null): boolean {
  return text !== null && text !== "false" && text !== "0";
}

function revisionOf(version: string, watch: boolean): number | undefined {
  if (version === "") return undefined;
  if (/^\d+$/.test(version)) return Number(version);
  const problem = `resourceVersion: Invalid value: ${JSON.stringify(version)}: strconv.ParseUint: parsing ${JSON.stringify(version)}: invalid syntax`;
  throw watch ? new StatusError(500, "", problem) : badRequest(`invalid resource version: ${problem}`);
}

type Flags = Pick<ListOptions, "match" | "sendInitialEvents" | "continueToken">;

function listErrors({ match, sendInitialEvents, continueToken }: Flags, version: string): FieldError[] {
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined)
    errors.push(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  if (match === "") return errors;
  const field = "resourceVersionMatch";
  if (version === "")
    errors.push(forbidden(field, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
  if (continueToken) errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  if (match !== "Exact" && match !== "NotOlderThan")
    errors.push(notSupported(field, match, ["Exact", "NotOlderThan", ""]));
  if (match === "Exact" && version === "0") {
    errors.push(forbidden(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'));
  }
  return errors;
}

function watchErrors({ match, sendInitialEvents, continueToken }: Flags): FieldError[] {
  const field = "resourceVersionMatch";
  const errors: FieldError[] = [];
  if (sendInitialEvents !== undefined && match !== "NotOlderThan") {
    errors.push(forbidden(field, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  }
  if (sendInitialEvents === undefined && match !== "") {
    errors.push(forbidden(field, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  }
  if (sendInitialEvents && match !== "" && match !== "NotOlderThan")
    errors.push(notSupported(field, match, ["NotOlderThan"]));
  if (continueToken) errors.push(forbidden(field, "resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}

function readSelectors({ request, resource }: Call): Pick<ListOptions, "labels" | "fields"> {
  const labels = request.query.get("labelSelector") ?? "";
  const fields = request.query.get("fieldSelector") ?? "";
  try {
    const parsed = fields === "" ? undefined : parseFieldSelector(fields);
    if (parsed) checkFields(parsed, resource);
    return { labels: labels === "" ? everything : parseLabelSelector(labels), fields: parsed };
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

const EVERYWHERE: ReadonlySet<string> = new Set(["metadata.name", "metadata.namespace"]);

function checkFields(selector: FieldSelector, { fieldLabels, builtIn }: Call["resource"]): void {
  const supported = Object.keys(fieldLabels);
  if (!builtIn || !supported.every((field) => EVERYWHERE.has(field))) {
    checkSupportedFields(selector, new Set(supported));
    return;
  }
  const unknown = selector.requirements.find(({ field }) => !EVERYWHERE.has(field));
  if (!unknown) return;
  throw badRequest(
    `${JSON.stringify(unknown.field)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
  );
}
