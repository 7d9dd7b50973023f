import type { Dependency } from "#importers/source-module.ts";
import { memberOf, textIn, type DataNode } from "#importers/text/data-node.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import { addressOf } from "./object-address.ts";

/** A member that names an object of this kind, as its text or in a member of its map. */
interface Naming {
  kind: string;
  /** Undefined: the member itself is the name. */
  at?: string;
}

const namings: ReadonlyMap<string, readonly Naming[]> = new Map([
  ["configMapRef", [{ kind: "ConfigMap", at: "name" }]],
  ["configMapKeyRef", [{ kind: "ConfigMap", at: "name" }]],
  ["configMap", [{ kind: "ConfigMap", at: "name" }]],
  ["secretRef", [{ kind: "Secret", at: "name" }]],
  ["secretKeyRef", [{ kind: "Secret", at: "name" }]],
  [
    "secret",
    [
      { kind: "Secret", at: "secretName" },
      { kind: "Secret", at: "name" },
    ],
  ],
  ["secretName", [{ kind: "Secret" }]],
  ["serviceName", [{ kind: "Service" }]],
  ["service", [{ kind: "Service", at: "name" }]],
  ["serviceAccountName", [{ kind: "ServiceAccount" }]],
  ["persistentVolumeClaim", [{ kind: "PersistentVolumeClaim", at: "claimName" }]],
  ["storageClassName", [{ kind: "StorageClass" }]],
  ["ingressClassName", [{ kind: "IngressClass" }]],
  ["priorityClassName", [{ kind: "PriorityClass" }]],
]);

/** Members that name an object together with its kind. */
const withKind = new Set([
  "gatewayRef",
  "issuerRef",
  "ownerReferences",
  "parentRefs",
  "roleRef",
  "scaleTargetRef",
  "secretStoreRef",
  "subjects",
  "targetRef",
]);

/** The objects of the same file that an object depends on: its namespace, its volumes, its owners. */
export function dependenciesOf(
  object: KubernetesObject,
  addresses: ReadonlySet<string>,
): readonly Dependency[] {
  const { namespace, node } = object;
  const found = new Map<string, Dependency>();
  const add = (kind: string, name: string, line: number, inNamespace = namespace): void => {
    const address = addressOf(kind, inNamespace, name);
    if (address !== object.address && addresses.has(address) && !found.has(address))
      found.set(address, { address, line });
  };
  if (namespace !== undefined) add("Namespace", namespace, node.line);
  const waiting: DataNode[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "list") for (const item of at.items.toReversed()) waiting.push(item);
    if (at.kind !== "map") continue;
    for (const [name, value] of at.members) {
      for (const { kind, at: member } of namings.get(name) ?? []) {
        const named = textIn(member === undefined ? value : memberOf(value, member));
        if (named !== undefined) add(kind, named, value.line);
      }
      if (name === "imagePullSecrets")
        for (const one of itemsOf(value)) {
          const named = textIn(memberOf(one, "name"));
          if (named !== undefined) add("Secret", named, one.line);
        }
      if (withKind.has(name))
        for (const one of itemsOf(value)) {
          const kind = textIn(memberOf(one, "kind"));
          const named = textIn(memberOf(one, "name"));
          if (kind !== undefined && named !== undefined)
            add(kind, named, one.line, textIn(memberOf(one, "namespace")));
        }
    }
    for (const value of [...at.members.values()].toReversed()) waiting.push(value);
  }
  return [...found.values()];
}

/** The items of a list, or the value itself. */
function itemsOf(node: DataNode): readonly DataNode[] {
  return node.kind === "list" ? node.items : [node];
}
