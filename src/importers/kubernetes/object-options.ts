/** What an object has beside its properties: fields of the cluster, and annotations by which tools treat it. */
import type { SourceOption } from "#importers/source-option.ts";
import { lineOf, memberOf, membersOf, nameIn, type DataNode } from "#importers/text/data-node.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

/** Metadata that the cluster itself writes. */
export const writtenByCluster: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);

/** `kubectl apply` copies the whole object into this annotation, including the values of a secret. */
export const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

const ofCluster = "The cluster writes it: an object of the draft gets its own.";

/** Annotations by which tools keep an object when its source is gone, with the value that does so. */
const kept: ReadonlyMap<string, RegExp> = new Map([
  ["helm.sh/resource-policy", /^keep$/],
  ["argocd.argoproj.io/sync-options", /(?:^|,)\s*(?:Prune|Delete)=false\s*(?:,|$)/],
  ["kustomize.toolkit.fluxcd.io/prune", /^disabled$/],
  ["kapp.k14s.io/delete-strategy", /^orphan$/],
  ["pulumi.com/deletionPropagationPolicy", /^orphan$/i],
]);

/** Annotations by which tools order or treat an object in their own way. */
const treated =
  /^(?:helm\.sh\/hook|argocd\.argoproj\.io\/|kapp\.k14s\.io\/|kustomize\.toolkit\.fluxcd\.io\/|pulumi\.com\/|config\.kubernetes\.io\/|internal\.config\.kubernetes\.io\/|kustomize\.config\.k8s\.io\/)/;

/** Annotations that tools write and do not read as options: `argocd.argoproj.io/tracking-id`. */
const noted = /(?:tracking-id|managed-by|\/(?:path|index|origin|id))$/;

export function optionsOf({ node }: KubernetesObject): readonly SourceOption[] {
  const metadata = memberOf(node, "metadata");
  return [
    ...written(memberOf(node, "status"), "status"),
    ...[...membersOf(metadata)].flatMap(([name, value]) =>
      writtenByCluster.has(name) ? written(value, `metadata.${name}`) : [],
    ),
    ...[...membersOf(memberOf(metadata, "annotations"))].flatMap(([name, value]) =>
      ofAnnotation(name, value),
    ),
  ];
}

function written(node: DataNode | undefined, name: string): SourceOption[] {
  return node === undefined || isEmpty(node)
    ? []
    : [{ kind: "left out", name, line: lineOf(node), reason: ofCluster }];
}

/** Whether a status says nothing, as tools that make manifests write it: `{ loadBalancer: {} }`. */
function isEmpty(node: DataNode): boolean {
  if (node.kind === "scalar") return node.value === null || node.value === "";
  if (node.kind === "list") return node.items.length === 0;
  return node.kind === "map" && [...node.members.values()].every(isEmpty);
}

function ofAnnotation(annotation: string, value: DataNode): SourceOption[] {
  const line = lineOf(value);
  const name = `metadata.annotations.${annotation}`;
  if (annotation === APPLIED) {
    const reason = "`kubectl apply` writes it, with the whole object in it: it is not read.";
    return [{ kind: "left out", name, line, reason }];
  }
  if (kept.get(annotation)?.test(nameIn(value) ?? "") === true)
    return [{ kind: "retainOnDelete", name, line }];
  if (!treated.test(annotation) || noted.test(annotation)) return [];
  const reason = "A tool orders or treats the object by it. In the draft it is only an annotation.";
  return [{ kind: "left out", name, line, reason }];
}
