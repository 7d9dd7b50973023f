/**
 * Converts an object of a manifest to the form of our types. Its name and namespace stand beside `metadata`. The
 * cluster, which no manifest names, is asked for once.
 */
import { type DraftGap, shownName } from "#importers/draft/values/draft.ts";
import { addressOf, type DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { isHidden } from "#importers/hidden-values.ts";
import { APPLIED, writtenByCluster } from "#importers/kubernetes/object-options.ts";

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

/**
 * The gaps of the metadata. Clouds show labels and annotations, so those that hold a secret are left out. All of a
 * secret's annotations are, because tools copy applied values into them.
 */
export function metadataGaps(made: DraftedResource): DraftGap[] {
  const metadata = made.source.settings.members.find(({ name }) => name === "metadata")?.value;
  const members = metadata?.kind === "object" ? metadata.members : [];
  const gap = (path: string, line: number, reason: string): DraftGap => {
    const { file } = made.source;
    return { address: addressOf(made), file, line, path, code: "not_expressible", reason };
  };
  return members.flatMap((member) => {
    const { name, value, line } = member;
    if (isUnread(member, made))
      return isApplied(value) ? [] : [gap("metadata.annotations", line, ofSecret)];
    if (value.kind !== "object" || !/^(?:labels|annotations)$/.test(name)) return [];
    return value.members
      .filter(isShownSecret)
      .map((one) => gap(`metadata.${name}.${shownName(one.name)}`, one.line, shown));
  });
}

const ofSecret = "Annotations of a secret can repeat what it holds: they are not read.";
const shown = "It could hold a secret, and clouds show labels and annotations.";

function isShownSecret({ name, value }: Member): boolean {
  return name !== APPLIED && isHidden(value);
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
    if (name === "name" || name === "namespace" || writtenByCluster.has(name)) return [];
    if (!/^(?:labels|annotations)$/.test(name) || value.kind !== "object") return [member];
    const shownOnes = value.members.filter((one) => one.name !== APPLIED && !isShownSecret(one));
    return shownOnes.length === 0 && value.members.length > 0
      ? []
      : [{ ...member, value: { kind: "object", members: shownOnes } }];
  });
  const [first] = members;
  if (first === undefined) return [];
  return [{ name: "metadata", value: { kind: "object", members }, line: first.line }];
}
