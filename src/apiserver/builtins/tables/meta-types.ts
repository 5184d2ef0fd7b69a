/** What all kinds share (meta/v1) and the scale of those that have one. Notation: struct-types.ts; facts: Kubernetes v1.36.3. */
export const metaTypes = `
meta.ObjectMeta: name? 1 string; generateName? 2 string; namespace? 3 string; selfLink? 4 string;
  uid? 5 string go=types.UID; resourceVersion? 6 string; generation? 7 int64; creationTimestamp?! 8 time;
  deletionTimestamp? 9 *time; deletionGracePeriodSeconds? 10 *int64; labels? 11 {string}; annotations? 12 {string};
  ownerReferences? 13 [meta.OwnerReference] map=uid patch=merge:uid; finalizers? 14 [string] set patch=merge;
  managedFields? 17 [meta.ManagedFieldsEntry]
meta.ManagedFieldsEntry: manager? 1 string; operation? 2 string go=v1.ManagedFieldsOperationType;
  apiVersion? 3 string; time? 4 *time; fieldsType? 6 string; fieldsV1? 7 *fields; subresource? 8 string
meta.OwnerReference atomic: apiVersion 5 string; kind 1 string; name 3 string; uid 4 string default="" go=types.UID;
  controller? 6 *bool; blockOwnerDeletion? 7 *bool
meta.Condition: type 1 string default=""; status 2 string go=v1.ConditionStatus; observedGeneration? 3 int64;
  lastTransitionTime 4 time; reason 5 string; message 6 string
meta.LabelSelector atomic: matchLabels? 1 {string}; matchExpressions? 2 [meta.LabelSelectorRequirement]
meta.LabelSelectorRequirement: key 1 string; operator 2 string go=v1.LabelSelectorOperator; values? 3 [string]
meta.FieldSelectorRequirement: key 1 string; operator 2 string go=v1.FieldSelectorOperator; values? 3 [string]
autoscaling.Scale object: metadata? 1 meta.ObjectMeta; spec? 2 autoscaling.ScaleSpec;
  status? 3 autoscaling.ScaleStatus
autoscaling.ScaleSpec: replicas? 1 int32
autoscaling.ScaleStatus: replicas 1 int32; selector? 2 string
meta.DeleteOptions object: gracePeriodSeconds? 1 *int64; preconditions? 2 *meta.Preconditions;
  orphanDependents? 3 *bool; propagationPolicy? 4 *string go=v1.DeletionPropagation; dryRun? 5 [string];
  ignoreStoreReadErrorWithClusterBreakingPotential? 6 *bool
meta.Preconditions: uid? 1 *string go=types.UID; resourceVersion? 2 *string
`;
