/** What extends the API: custom resource definitions and admission webhooks. Notation: struct-types.ts; facts: Kubernetes v1.36.3. */
export const extensionTypes = `
apiextensions.CustomResourceDefinition object: metadata? 1 meta.ObjectMeta;
  spec 2 apiextensions.CustomResourceDefinitionSpec; status? 3 apiextensions.CustomResourceDefinitionStatus
apiextensions.CustomResourceDefinitionSpec: group 1 string; names 3 apiextensions.CustomResourceDefinitionNames;
  scope 4 string go=v1.ResourceScope; versions 7 [apiextensions.CustomResourceDefinitionVersion];
  conversion? 9 *apiextensions.CustomResourceConversion; preserveUnknownFields? 10 bool
apiextensions.CustomResourceConversion: strategy 1 string go=v1.ConversionStrategyType;
  webhook? 2 *apiextensions.WebhookConversion
apiextensions.WebhookConversion: clientConfig? 2 *apiextensions.WebhookClientConfig;
  conversionReviewVersions 3 [string]
apiextensions.WebhookClientConfig: url? 3 *string; service? 1 *apiextensions.ServiceReference; caBundle? 2 bytes
apiextensions.ServiceReference: namespace 1 string; name 2 string; path? 3 *string; port? 4 *int32
apiextensions.CustomResourceDefinitionNames: plural 1 string; singular? 2 string; shortNames? 3 [string];
  kind 4 string; listKind? 5 string; categories? 6 [string]
apiextensions.CustomResourceDefinitionVersion: name 1 string; served 2 bool; storage 3 bool; deprecated? 7 bool;
  deprecationWarning? 8 *string; schema? 4 *apiextensions.CustomResourceValidation;
  subresources? 5 *apiextensions.CustomResourceSubresources;
  additionalPrinterColumns? 6 [apiextensions.CustomResourceColumnDefinition];
  selectableFields? 9 [apiextensions.SelectableField]
apiextensions.CustomResourceColumnDefinition: name 1 string; type 2 string; format? 3 string; description? 4 string;
  priority? 5 int32; jsonPath 6 string
apiextensions.CustomResourceSubresources: status? 1 *apiextensions.CustomResourceSubresourceStatus;
  scale? 2 *apiextensions.CustomResourceSubresourceScale
apiextensions.CustomResourceSubresourceScale: specReplicasPath 1 string; statusReplicasPath 2 string;
  labelSelectorPath? 3 *string
apiextensions.CustomResourceSubresourceStatus:
apiextensions.CustomResourceValidation: openAPIV3Schema? 1 *apiextensions.JSONSchemaProps
apiextensions.JSONSchemaProps: id? 1 string; $schema? 2 string go=v1.JSONSchemaURL; $ref? 3 *string;
  description? 4 string; type? 5 string; format? 6 string; title? 7 string; default? 8 *json; maximum? 9 *double;
  exclusiveMaximum? 10 bool; minimum? 11 *double; exclusiveMinimum? 12 bool; maxLength? 13 *int64;
  minLength? 14 *int64; pattern? 15 string; maxItems? 16 *int64; minItems? 17 *int64; uniqueItems? 18 bool;
  multipleOf? 19 *double; enum? 20 [json]; maxProperties? 21 *int64; minProperties? 22 *int64;
  required? 23 [string]; items? 24 *schemaorarray; allOf? 25 [apiextensions.JSONSchemaProps];
  oneOf? 26 [apiextensions.JSONSchemaProps]; anyOf? 27 [apiextensions.JSONSchemaProps];
  not? 28 *apiextensions.JSONSchemaProps; properties? 29 {apiextensions.JSONSchemaProps};
  additionalProperties? 30 *schemaorbool; patternProperties? 31 {apiextensions.JSONSchemaProps};
  dependencies? 32 {schemaorstrings}; additionalItems? 33 *schemaorbool;
  definitions? 34 {apiextensions.JSONSchemaProps}; externalDocs? 35 *apiextensions.ExternalDocumentation;
  example? 36 *json; nullable? 37 bool; x-kubernetes-preserve-unknown-fields? 38 *bool;
  x-kubernetes-embedded-resource? 39 bool; x-kubernetes-int-or-string? 40 bool;
  x-kubernetes-list-map-keys? 41 [string]; x-kubernetes-list-type? 42 *string; x-kubernetes-map-type? 43 *string;
  x-kubernetes-validations? 44 [apiextensions.ValidationRule] map=rule patch=merge:rule
apiextensions.ExternalDocumentation: description? 1 string; url? 2 string
apiextensions.ValidationRule: rule 1 string default=""; message? 2 string; messageExpression? 3 string;
  reason? 4 *string go=v1.FieldValueErrorReason; fieldPath? 5 string; optionalOldSelf? 6 *bool
apiextensions.SelectableField: jsonPath 1 string
apiextensions.CustomResourceDefinitionStatus:
  conditions 1 [apiextensions.CustomResourceDefinitionCondition] map=type;
  acceptedNames 2 apiextensions.CustomResourceDefinitionNames; storedVersions 3 [string];
  observedGeneration? 4 int64
apiextensions.CustomResourceDefinitionCondition:
  type 1 string default="" go=v1.CustomResourceDefinitionConditionType; status 2 string go=v1.ConditionStatus;
  lastTransitionTime? 3 time; reason? 4 string; message? 5 string; observedGeneration? 6 int64
admissionregistration.ValidatingWebhookConfiguration object: metadata? 1 meta.ObjectMeta;
  webhooks? 2 [admissionregistration.ValidatingWebhook] map=name patch=merge:name
admissionregistration.ValidatingWebhook: name 1 string default="";
  clientConfig 2 admissionregistration.WebhookClientConfig; rules? 3 [admissionregistration.RuleWithOperations];
  failurePolicy? 4 *string go=v1.FailurePolicyType; matchPolicy? 9 *string go=v1.MatchPolicyType;
  namespaceSelector? 5 *meta.LabelSelector; objectSelector? 10 *meta.LabelSelector;
  sideEffects 6 *string go=v1.SideEffectClass; timeoutSeconds? 7 *int32; admissionReviewVersions 8 [string];
  matchConditions? 11 [admissionregistration.MatchCondition] map=name patch=merge:name
admissionregistration.MatchCondition: name 1 string default=""; expression 2 string
admissionregistration.RuleWithOperations: operations? 1 [string] go=v1.OperationType; apiGroups? 2.1 [string];
  apiVersions? 2.2 [string]; resources? 2.3 [string]; scope? 2.4 *string go=v1.ScopeType
admissionregistration.WebhookClientConfig: url? 3 *string; service? 1 *admissionregistration.ServiceReference;
  caBundle? 2 bytes
admissionregistration.ServiceReference: namespace 1 string; name 2 string; path? 3 *string; port? 4 *int32
admissionregistration.MutatingWebhookConfiguration object: metadata? 1 meta.ObjectMeta;
  webhooks? 2 [admissionregistration.MutatingWebhook] map=name patch=merge:name
admissionregistration.MutatingWebhook: name 1 string default="";
  clientConfig 2 admissionregistration.WebhookClientConfig; rules? 3 [admissionregistration.RuleWithOperations];
  failurePolicy? 4 *string go=v1.FailurePolicyType; matchPolicy? 9 *string go=v1.MatchPolicyType;
  namespaceSelector? 5 *meta.LabelSelector; objectSelector? 11 *meta.LabelSelector;
  sideEffects 6 *string go=v1.SideEffectClass; timeoutSeconds? 7 *int32; admissionReviewVersions 8 [string];
  reinvocationPolicy? 10 *string go=v1.ReinvocationPolicyType;
  matchConditions? 12 [admissionregistration.MatchCondition] map=name patch=merge:name
`;
