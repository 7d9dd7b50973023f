/** Our types for the objects of a cluster. They belong to CoreWeave, and are applied like a manifest. */
const kinds: readonly string[] = [
  "v1/Namespace",
  "apps/v1/Deployment",
  "apps/v1/StatefulSet",
  "batch/v1/Job",
  "v1/Service",
  "networking.k8s.io/v1/Ingress",
  "v1/ConfigMap",
  "v1/Secret",
  "v1/PersistentVolumeClaim",
];

/** Our type for an API version and kind, such as `apps/v1/Deployment`; undefined if there is none. */
export function appliedType(kind: string): string | undefined {
  return kinds.includes(kind) ? `coreweave:${nameIn(kind)}` : undefined;
}

export function whyNotApplied(kind: string): string {
  const same = kinds.find((one) => nameIn(one) === nameIn(kind));
  return same === undefined
    ? `Drafts have no kinds of Kubernetes but ${kinds.map(nameIn).join(", ")}: apply it with a tool of the cluster.`
    : `Objects of this kind are applied as \`${same}\`: convert it to this version of its API.`;
}

function nameIn(kind: string): string {
  return kind.slice(kind.lastIndexOf("/") + 1);
}
