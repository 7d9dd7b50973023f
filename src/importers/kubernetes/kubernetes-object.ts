import type { ImportLog } from "#importers/import-log.ts";
import { memberOf, textIn, type DataMap, type DataNode } from "#importers/text/data-node.ts";
import { addressOf, namespaceOf } from "./object-address.ts";

export interface KubernetesObject {
  address: string;
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string | undefined;
  node: DataMap;
}

const noName = "An object has no `metadata.name`: it was left out.";
const noObject =
  "A document is no Kubernetes object, which has `apiVersion` and `kind`: it was left out.";

/** The objects in the documents of a file, with lists flattened. Addresses are unique. */
export function objectsIn(
  documents: readonly DataNode[],
  file: string,
  log: ImportLog,
): readonly KubernetesObject[] {
  const found = new Map<string, KubernetesObject>();
  const waiting = [...documents].toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    const { line } = node;
    if (node.kind === "list") {
      // A loop, because a list may be longer than the arguments of a call.
      for (const item of node.items.toReversed()) waiting.push(item);
      continue;
    }
    const apiVersion = textIn(memberOf(node, "apiVersion"));
    const kind = textIn(memberOf(node, "kind"));
    if (node.kind !== "map" || apiVersion === undefined || kind === undefined) {
      log.add("warning", "not_an_object", noObject, { file, line });
      continue;
    }
    const items = memberOf(node, "items");
    if (kind.endsWith("List") && items?.kind === "list") {
      waiting.push(items);
      continue;
    }
    const metadata = memberOf(node, "metadata");
    const name = textIn(memberOf(metadata, "name")) ?? textIn(memberOf(metadata, "generateName"));
    if (name === undefined || name === "") {
      log.add("warning", "object_without_name", noName, { file, line });
      continue;
    }
    const namespace = namespaceOf(kind, textIn(memberOf(metadata, "namespace")));
    const address = freeAddress(addressOf(kind, namespace, name), apiVersion, found);
    if (address === undefined) {
      const message =
        "An object with this kind, namespace and name is in the file already: the second one was left out.";
      log.add("warning", "duplicate_object", message, { file, line });
    } else found.set(address, { address, apiVersion, kind, name, namespace, node });
  }
  return [...found.values()];
}

/** Kinds of two API groups may share a name. The second object then has its group in its address. */
function freeAddress(
  address: string,
  apiVersion: string,
  found: ReadonlyMap<string, KubernetesObject>,
): string | undefined {
  const other = found.get(address);
  if (other === undefined) return address;
  const group = groupOf(apiVersion);
  const inGroup = `${group}/${address}`;
  return groupOf(other.apiVersion) === group || found.has(inGroup) ? undefined : inGroup;
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash === -1 ? "core" : apiVersion.slice(0, slash);
}
