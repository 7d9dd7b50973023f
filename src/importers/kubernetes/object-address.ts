/** Kinds without a namespace. */
const clusterKinds = new Set([
  "APIService",
  "CSIDriver",
  "CSINode",
  "ClusterIssuer",
  "ClusterRole",
  "ClusterRoleBinding",
  "ClusterSecretStore",
  "CustomResourceDefinition",
  "FlowSchema",
  "GatewayClass",
  "IngressClass",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Node",
  "PersistentVolume",
  "PodSecurityPolicy",
  "PriorityClass",
  "PriorityLevelConfiguration",
  "RuntimeClass",
  "StorageClass",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionPolicyBinding",
  "ValidatingWebhookConfiguration",
  "VolumeAttachment",
]);

/** The namespace of an object; undefined for a kind without one. */
export function namespaceOf(kind: string, written: string | undefined): string | undefined {
  return clusterKinds.has(kind) ? undefined : (written ?? "default");
}

/** The address of an object: `Deployment/default/web`, `ClusterRole/admin`. */
export function addressOf(kind: string, namespace: string | undefined, name: string): string {
  const inNamespace = namespaceOf(kind, namespace);
  return inNamespace === undefined ? `${kind}/${name}` : `${kind}/${inNamespace}/${name}`;
}
