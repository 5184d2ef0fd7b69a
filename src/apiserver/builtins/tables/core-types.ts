/** The kinds of the core group, events, leases and endpoint slices. Notation: struct-types.ts; facts: Kubernetes v1.36.3. */
export const coreTypes = `
core.Namespace object: metadata? 1 meta.ObjectMeta; spec? 2 core.NamespaceSpec; status? 3 core.NamespaceStatus
core.NamespaceSpec: finalizers? 1 [string] go=v1.FinalizerName
core.NamespaceStatus: phase? 1 string go=v1.NamespacePhase;
  conditions? 2 [core.NamespaceCondition] map=type patch=merge:type
core.NamespaceCondition: type 1 string default="" go=v1.NamespaceConditionType;
  status 2 string go=v1.ConditionStatus; lastTransitionTime? 4 time; reason? 5 string; message? 6 string
core.ConfigMap object: metadata? 1 meta.ObjectMeta; immutable? 4 *bool; data? 2 {string}; binaryData? 3 {bytes}
core.Secret object: metadata? 1 meta.ObjectMeta; immutable? 5 *bool; data? 2 {bytes}; stringData? 4 {string};
  type? 3 string go=v1.SecretType
core.ServiceAccount object: metadata? 1 meta.ObjectMeta;
  secrets? 2 [core.ObjectReference] map=name patch=merge:name; imagePullSecrets? 3 [core.LocalObjectReference];
  automountServiceAccountToken? 4 *bool
core.LocalObjectReference atomic: name? 1 string default=""
core.ObjectReference atomic: kind? 1 string; namespace? 2 string; name? 3 string; uid? 4 string go=types.UID;
  apiVersion? 5 string; resourceVersion? 6 string; fieldPath? 7 string
core.Node object: metadata? 1 meta.ObjectMeta; spec? 2 core.NodeSpec; status? 3 core.NodeStatus
core.NodeSpec: podCIDR? 1 string; podCIDRs? 7 [string] set patch=merge; providerID? 3 string; unschedulable? 4 bool;
  taints? 5 [core.Taint]; configSource? 6 *core.NodeConfigSource; externalID? 2 string
core.NodeConfigSource: configMap? 2 *core.ConfigMapNodeConfigSource
core.ConfigMapNodeConfigSource: namespace 1 string; name 2 string; uid? 3 string go=types.UID;
  resourceVersion? 4 string; kubeletConfigKey 5 string
core.Taint: key 1 string; value? 2 string; effect 3 string go=v1.TaintEffect; timeAdded? 4 *time
core.NodeStatus: capacity? 1 {quantity}; allocatable? 2 {quantity}; phase? 3 string go=v1.NodePhase;
  conditions? 4 [core.NodeCondition] map=type patch=merge:type;
  addresses? 5 [core.NodeAddress] map=type patch=merge:type; daemonEndpoints? 6 core.NodeDaemonEndpoints;
  nodeInfo? 7 core.NodeSystemInfo; images? 8 [core.ContainerImage]; volumesInUse? 9 [string] go=v1.UniqueVolumeName;
  volumesAttached? 10 [core.AttachedVolume]; config? 11 *core.NodeConfigStatus;
  runtimeHandlers? 12 [core.NodeRuntimeHandler]; features? 13 *core.NodeFeatures; declaredFeatures? 14 [string]
core.AttachedVolume: name 1 string go=v1.UniqueVolumeName; devicePath 2 string
core.ContainerImage: names 1 [string]; sizeBytes? 2 int64
core.NodeAddress: type 1 string default="" go=v1.NodeAddressType; address 2 string
core.NodeCondition: type 1 string default="" go=v1.NodeConditionType; status 2 string go=v1.ConditionStatus;
  lastHeartbeatTime? 3 time; lastTransitionTime? 4 time; reason? 5 string; message? 6 string
core.NodeConfigStatus: assigned? 1 *core.NodeConfigSource; active? 2 *core.NodeConfigSource;
  lastKnownGood? 3 *core.NodeConfigSource; error? 4 string
core.NodeDaemonEndpoints: kubeletEndpoint? 1 core.DaemonEndpoint
core.DaemonEndpoint: Port 1 int32
core.NodeFeatures: supplementalGroupsPolicy? 1 *bool
core.NodeRuntimeHandler: name 1 string; features? 2 *core.NodeRuntimeHandlerFeatures
core.NodeRuntimeHandlerFeatures: recursiveReadOnlyMounts? 1 *bool; userNamespaces? 2 *bool
core.NodeSystemInfo: machineID 1 string; systemUUID 2 string; bootID 3 string; kernelVersion 4 string;
  osImage 5 string; containerRuntimeVersion 6 string; kubeletVersion 7 string; kubeProxyVersion 8 string;
  operatingSystem 9 string; architecture 10 string; swap? 11 *core.NodeSwapStatus
core.NodeSwapStatus: capacity? 1 *int64
core.Event object: metadata 1 meta.ObjectMeta; involvedObject 2 core.ObjectReference; reason? 3 string;
  message? 4 string; source? 5 core.EventSource; firstTimestamp? 6 time; lastTimestamp? 7 time; count? 8 int32;
  type? 9 string; eventTime? 10 micro; series? 11 *core.EventSeries; action? 12 string;
  related? 13 *core.ObjectReference; reportingComponent 14 string; reportingInstance 15 string
core.EventSeries: count? 1 int32; lastObservedTime? 2 micro
core.EventSource: component? 1 string; host? 2 string
core.Service object: metadata? 1 meta.ObjectMeta; spec? 2 core.ServiceSpec; status? 3 core.ServiceStatus
core.ServiceSpec: ports? 1 [core.ServicePort] map=port,protocol patch=merge:port; selector? 2 {string} atomic;
  clusterIP? 3 string; clusterIPs? 18 [string]; type? 4 string go=v1.ServiceType; externalIPs? 5 [string];
  sessionAffinity? 7 string go=v1.ServiceAffinity; loadBalancerIP? 8 string; loadBalancerSourceRanges? 9 [string];
  externalName? 10 string; externalTrafficPolicy? 11 string go=v1.ServiceExternalTrafficPolicy;
  healthCheckNodePort? 12 int32; publishNotReadyAddresses? 13 bool;
  sessionAffinityConfig? 14 *core.SessionAffinityConfig; ipFamilies? 19 [string] go=v1.IPFamily;
  ipFamilyPolicy? 17 *string go=v1.IPFamilyPolicy; allocateLoadBalancerNodePorts? 20 *bool;
  loadBalancerClass? 21 *string; internalTrafficPolicy? 22 *string go=v1.ServiceInternalTrafficPolicy;
  trafficDistribution? 23 *string
core.ServicePort: name? 1 string; protocol? 2 string default="TCP" go=v1.Protocol; appProtocol? 6 *string;
  port 3 int32 default=0; targetPort? 4 intorstring; nodePort? 5 int32
core.SessionAffinityConfig: clientIP? 1 *core.ClientIPConfig
core.ClientIPConfig: timeoutSeconds? 1 *int32
core.ServiceStatus: loadBalancer? 1 core.LoadBalancerStatus;
  conditions? 2 [meta.Condition] map=type patch=merge:type
core.LoadBalancerStatus: ingress? 1 [core.LoadBalancerIngress]
core.LoadBalancerIngress: ip? 1 string; hostname? 2 string; ipMode? 3 *string go=v1.LoadBalancerIPMode;
  ports? 4 [core.PortStatus]
core.PortStatus: port 1 int32; protocol 2 string go=v1.Protocol; error? 3 *string
events.Event object: metadata 1 meta.ObjectMeta; eventTime 2 micro; series? 3 *events.EventSeries;
  reportingController? 4 string; reportingInstance? 5 string; action? 6 string; reason? 7 string;
  regarding? 8 core.ObjectReference; related? 9 *core.ObjectReference; note? 10 string; type? 11 string;
  deprecatedSource? 12 core.EventSource; deprecatedFirstTimestamp? 13 time; deprecatedLastTimestamp? 14 time;
  deprecatedCount? 15 int32
events.EventSeries: count 1 int32; lastObservedTime 2 micro
coordination.Lease object: metadata? 1 meta.ObjectMeta; spec? 2 coordination.LeaseSpec
coordination.LeaseSpec: holderIdentity? 1 *string; leaseDurationSeconds? 2 *int32; acquireTime? 3 *micro;
  renewTime? 4 *micro; leaseTransitions? 5 *int32; strategy? 6 *string go=v1.CoordinatedLeaseStrategy;
  preferredHolder? 7 *string
discovery.EndpointSlice object: metadata? 1 meta.ObjectMeta; addressType 4 string go=v1.AddressType;
  endpoints 2 [discovery.Endpoint]; ports 3 [discovery.EndpointPort]
discovery.Endpoint: addresses 1 [string] set; conditions? 2 discovery.EndpointConditions; hostname? 3 *string;
  targetRef? 4 *core.ObjectReference; deprecatedTopology? 5 {string}; nodeName? 6 *string; zone? 7 *string;
  hints? 8 *discovery.EndpointHints
discovery.EndpointConditions: ready? 1 *bool; serving? 2 *bool; terminating? 3 *bool
discovery.EndpointHints: forZones? 1 [discovery.ForZone]; forNodes? 2 [discovery.ForNode]
discovery.ForNode: name 1 string
discovery.ForZone: name 1 string
discovery.EndpointPort atomic: name? 1 *string; protocol? 2 *string go=v1.Protocol; port? 3 *int32;
  appProtocol? 4 *string
`;
