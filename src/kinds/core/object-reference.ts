/** How core objects point at others: Events at what they are about, endpoints at what they are. */
export interface CoreObjectReference {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  name?: string;
  uid?: string;
  resourceVersion?: string;
  fieldPath?: string;
}
