/** What every verb works with: the parts of the server it may use, and the request it answers. */
import type { Clock, Random } from "#clock";
import type { Admission } from "../admission/admission.ts";
import type { ApiRequest, UserInfo } from "../http/message.ts";
import type { Accepted } from "../http/negotiate.ts";
import type { Store } from "../store/index.ts";
import type { Registry } from "./registry.ts";
import type { ResourceRequest } from "./request-info.ts";
import type { Resource } from "./resource.ts";

export interface Environment {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: Admission;
}

export interface Call {
  readonly request: ApiRequest;
  readonly info: ResourceRequest;
  readonly resource: Resource;
  readonly user: UserInfo;
  readonly accepted: Accepted;
  /** Sent to the client as `Warning` headers, in this order, each once. */
  readonly warnings: string[];
}
