/**
 * Converts an object of a manifest to the form of our types. Its name and namespace stand beside `metadata`. The
 * cluster, which no manifest names, is asked for once.
 */
import type { DraftGap } from "#importers/draft/values/draft.ts";
import { addressOf, type DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";

/** Metadata that the cluster itself writes. */
const written: ReadonlySet<string> = new Set([
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
]);
const APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

export function appliedObject(made: DraftedResource): DraftedResource {
  const { source, scope, facts } = made;
  const { line } = source;
  const metadata = source.settings.members.find(({ name }) => name === "metadata")?.value;
  const given = metadata?.kind === "object" ? metadata.members : [];
  const named = given.find(({ name }) => name === "namespace")?.value;
  const namespace = named?.kind === "literal" ? String(named.value) : "default";
  const namespaceAddress = `Namespace/${namespace}`;
  const isPlaced = facts?.properties?.["namespace"] !== undefined;
  const isHere = isPlaced && scope.resources.has(namespaceAddress);
  const placed: Member[] = [
    { name: "clusterId", value: cluster(line), line },
    ...(isPlaced ? [{ name: "namespace", value: inNamespace(), line }] : []),
    ...given.filter(({ name }) => name === "name"),
    ...metadataOf(given.filter((member) => !isUnread(member, made))),
    ...source.settings.members.filter(({ name }) => !/^(?:apiVersion|kind|metadata)$/.test(name)),
  ];
  const dependsOn = source.dependsOn.filter(({ address }) => address !== namespaceAddress);
  return {
    ...made,
    source: { ...source, dependsOn, settings: { kind: "object", members: placed } },
  };

  function inNamespace(): Expression {
    if (!isHere) return literal(namespace);
    const target = { kind: "resource", address: namespaceAddress } as const;
    return { kind: "reference", target, path: ["name"], line };
  }
}

/** The gaps for a secret's annotations. They are not imported, because tools copy applied values into them. */
export function annotationGaps(made: DraftedResource): DraftGap[] {
  const metadata = made.source.settings.members.find(({ name }) => name === "metadata")?.value;
  const members = metadata?.kind === "object" ? metadata.members : [];
  return members
    .filter((member) => isUnread(member, made) && !isApplied(member.value))
    .map(({ line }) => ({
      address: addressOf(made),
      file: made.source.file,
      line,
      path: "metadata.annotations",
      code: "not_expressible",
      reason: "Annotations of a secret can repeat what it holds: they are not read.",
    }));
}

function isUnread({ name }: Member, { source }: DraftedResource): boolean {
  return name === "annotations" && source.type === "v1/Secret";
}

/** Whether the annotations are only those of `kubectl apply`. */
function isApplied(annotations: Expression): boolean {
  return annotations.kind === "object" && annotations.members.every(({ name }) => name === APPLIED);
}

function cluster(line: number): Expression {
  return { kind: "call", name: "pseudo", args: [literal("Kubernetes::Cluster")], line };
}

function metadataOf(given: readonly Member[]): Member[] {
  const members = given.flatMap((member): Member[] => {
    const { name, value } = member;
    if (name === "name" || name === "namespace" || written.has(name)) return [];
    if (name !== "annotations" || value.kind !== "object") return [member];
    const annotations = value.members.filter((one) => one.name !== APPLIED);
    return annotations.length === 0
      ? []
      : [{ ...member, value: { kind: "object", members: annotations } }];
  });
  const [first] = members;
  if (first === undefined) return [];
  return [{ name: "metadata", value: { kind: "object", members }, line: first.line }];
}
