/** Roles, bindings, and the reviews that ask who may do what. Notation: struct-types.ts; facts: Kubernetes v1.36.3. */
export const accessTypes = `
rbac.Role object: metadata? 1 meta.ObjectMeta; rules 2 [rbac.PolicyRule]
rbac.PolicyRule: verbs 1 [string]; apiGroups? 2 [string]; resources? 3 [string]; resourceNames? 4 [string];
  nonResourceURLs? 5 [string]
rbac.RoleBinding object: metadata? 1 meta.ObjectMeta; subjects? 2 [rbac.Subject]; roleRef 3 rbac.RoleRef
rbac.RoleRef atomic: apiGroup 1 string; kind 2 string; name 3 string
rbac.Subject atomic: kind 1 string; apiGroup? 2 string; name 3 string; namespace? 4 string
rbac.ClusterRole object: metadata? 1 meta.ObjectMeta; rules 2 [rbac.PolicyRule];
  aggregationRule? 3 *rbac.AggregationRule
rbac.AggregationRule: clusterRoleSelectors? 1 [meta.LabelSelector]
rbac.ClusterRoleBinding object: metadata? 1 meta.ObjectMeta; subjects? 2 [rbac.Subject]; roleRef 3 rbac.RoleRef
authentication.TokenReview object: metadata? 1 meta.ObjectMeta; spec 2 authentication.TokenReviewSpec;
  status? 3 authentication.TokenReviewStatus
authentication.TokenReviewSpec: token? 1 string; audiences? 2 [string]
authentication.TokenReviewStatus: authenticated? 1 bool; user? 2 authentication.UserInfo; audiences? 4 [string];
  error? 3 string
authentication.UserInfo: username? 1 string; uid? 2 string; groups? 3 [string]; extra? 4 {strings}
authentication.TokenRequest object: metadata? 1 meta.ObjectMeta; spec 2 authentication.TokenRequestSpec;
  status? 3 authentication.TokenRequestStatus
authentication.TokenRequestSpec: audiences 1 [string]; expirationSeconds 4 *int64;
  boundObjectRef 3 *authentication.BoundObjectReference
authentication.BoundObjectReference: kind? 1 string; apiVersion? 2 string; name? 3 string;
  uid? 4 string go=types.UID
authentication.TokenRequestStatus: token 1 string; expirationTimestamp 2 time
authentication.SelfSubjectReview object: metadata? 1 meta.ObjectMeta;
  status? 2 authentication.SelfSubjectReviewStatus
authentication.SelfSubjectReviewStatus: userInfo? 1 authentication.UserInfo
authorization.SubjectAccessReview object: metadata? 1 meta.ObjectMeta; spec 2 authorization.SubjectAccessReviewSpec;
  status? 3 authorization.SubjectAccessReviewStatus
authorization.SubjectAccessReviewSpec: resourceAttributes? 1 *authorization.ResourceAttributes;
  nonResourceAttributes? 2 *authorization.NonResourceAttributes; user? 3 string; groups? 4 [string];
  extra? 5 {strings}; uid? 6 string
authorization.NonResourceAttributes: path? 1 string; verb? 2 string
authorization.ResourceAttributes: namespace? 1 string; verb? 2 string; group? 3 string; version? 4 string;
  resource? 5 string; subresource? 6 string; name? 7 string;
  fieldSelector? 8 *authorization.FieldSelectorAttributes; labelSelector? 9 *authorization.LabelSelectorAttributes
authorization.FieldSelectorAttributes: rawSelector? 1 string; requirements? 2 [meta.FieldSelectorRequirement]
authorization.LabelSelectorAttributes: rawSelector? 1 string; requirements? 2 [meta.LabelSelectorRequirement]
authorization.SubjectAccessReviewStatus: allowed 1 bool; denied? 4 bool; reason? 2 string; evaluationError? 3 string
authorization.LocalSubjectAccessReview object: metadata? 1 meta.ObjectMeta;
  spec 2 authorization.SubjectAccessReviewSpec; status? 3 authorization.SubjectAccessReviewStatus
authorization.SelfSubjectAccessReview object: metadata? 1 meta.ObjectMeta;
  spec 2 authorization.SelfSubjectAccessReviewSpec; status? 3 authorization.SubjectAccessReviewStatus
authorization.SelfSubjectAccessReviewSpec: resourceAttributes? 1 *authorization.ResourceAttributes;
  nonResourceAttributes? 2 *authorization.NonResourceAttributes
authorization.SelfSubjectRulesReview object: metadata? 1 meta.ObjectMeta;
  spec 2 authorization.SelfSubjectRulesReviewSpec; status? 3 authorization.SubjectRulesReviewStatus
authorization.SelfSubjectRulesReviewSpec: namespace? 1 string
authorization.SubjectRulesReviewStatus: resourceRules 1 [authorization.ResourceRule];
  nonResourceRules 2 [authorization.NonResourceRule]; incomplete 3 bool; evaluationError? 4 string
authorization.NonResourceRule: verbs 1 [string]; nonResourceURLs? 2 [string]
authorization.ResourceRule: verbs 1 [string]; apiGroups? 2 [string]; resources? 3 [string];
  resourceNames? 4 [string]
`;
