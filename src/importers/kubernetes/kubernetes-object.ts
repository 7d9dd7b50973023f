import type { ImportLog } from "#importers/import-log.ts";
import {
  memberOf,
  nameIn,
  textIn,
  type DataMap,
  type DataNode,
} from "#importers/text/data-node.ts";
import { addressOf, namespaceOf } from "./object-address.ts";
import { withTexts } from "./text-fields.ts";

export interface KubernetesObject {
  /** Unique within its draft. */
  address: string;
  apiVersion: string;
  kind: string;
  name: string;
  namespace: string | undefined;
  /** Whether the cluster makes its name (`generateName`): each apply makes another object. */
  isGenerated: boolean;
  node: DataMap;
  file: string;
}

const noName = "An object has no `metadata.name`: it was left out.";
const noObject =
  "A document is no Kubernetes object, which has `apiVersion` and `kind`: it was left out.";

const ofTool =
  "A document configures a tool on a machine and is no object of a cluster: it was left out.";
/** Versions of files with the form of an object that no cluster takes. */
const ofTools =
  /^(?:skaffold|kind\.x-k8s\.io|k3d\.io|kpt\.dev|kubeadm\.k8s\.io|kubelet\.config\.k8s\.io|kubeproxy\.config\.k8s\.io|kubescheduler\.config\.k8s\.io|apiserver\.config\.k8s\.io|audit\.k8s\.io|client\.authentication\.k8s\.io|minikube\.sigs\.k8s\.io)\//;

/** The objects in the documents of a file, with lists flattened. */
export function objectsIn(
  documents: readonly DataNode[],
  file: string,
  log: ImportLog,
): readonly KubernetesObject[] {
  const found: KubernetesObject[] = [];
  const identities = new Set<string>();
  const waiting = documents.map((node): Listed => ({ node })).toReversed();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, of } = next;
    const { line } = node;
    if (node.kind === "list") {
      // A loop, because a list may be longer than the arguments of a call.
      for (const item of node.items.toReversed()) waiting.push({ node: item, of });
      continue;
    }
    const apiVersion = textIn(memberOf(node, "apiVersion")) ?? of?.apiVersion;
    const kind = textIn(memberOf(node, "kind")) ?? of?.kind;
    if (node.kind !== "map" || apiVersion === undefined || kind === undefined) {
      log.add("warning", "not_an_object", noObject, { file, line });
      continue;
    }
    if (ofTools.test(apiVersion)) {
      log.add("info", "tool_configuration", ofTool, { file, line });
      continue;
    }
    const items = memberOf(node, "items");
    if (kind.endsWith("List") && items?.kind === "list") {
      waiting.push({ node: items, of: itemsOf(apiVersion, kind) });
      continue;
    }
    const metadata = memberOf(node, "metadata");
    const given = nameIn(memberOf(metadata, "name"));
    const name = given ?? nameIn(memberOf(metadata, "generateName"));
    if (name === undefined || name === "") {
      log.add("warning", "object_without_name", noName, { file, line });
      continue;
    }
    const namespace = namespaceOf(kind, nameIn(memberOf(metadata, "namespace")));
    const address = addressOf(kind, namespace, name);
    const isGenerated = given === undefined;
    const object = { address, apiVersion, kind, name, namespace, isGenerated, node, file };
    const identity = identityOf(object);
    if (identities.has(identity) && !isGenerated) {
      const message =
        "An object with this kind, namespace and name is in the file already: the second one was left out.";
      log.add("warning", "duplicate_object", message, { file, line });
    } else {
      identities.add(identity);
      found.push(isOfCluster.test(apiVersion) ? withTexts(object, log) : object);
    }
  }
  return found;
}

/** Versions of the API that every cluster has. Custom objects have fields of other types under the same names. */
const isOfCluster = /^(?:v1|apps\/|batch\/|autoscaling\/|policy\/|networking\.k8s\.io\/|rbac\.)/;

/** A node, and the kind of the list around it. */
interface Listed {
  node: DataNode;
  of?: { apiVersion: string; kind: string } | undefined;
}

/** The items of a `ServiceList` may leave out their own kind; those of a `List` may not. */
function itemsOf(apiVersion: string, kind: string): Listed["of"] {
  return kind === "List" ? undefined : { apiVersion, kind: kind.slice(0, -"List".length) };
}

/** The group, kind, namespace and name of an object, by which a cluster tells objects apart. */
export function identityOf({ apiVersion, address }: KubernetesObject): string {
  return `${groupOf(apiVersion)}/${address}`;
}

/**
 * Objects with unique addresses. Kinds of two API groups may share a name: the second object then has its group in its
 * address. Objects whose names the cluster makes are counted.
 */
export function withAddresses(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const taken = new Set<string>();
  /** The last count of each address: all before it are taken. */
  const counts = new Map<string, number>();
  return objects.map((object) => {
    const { address: own, apiVersion, isGenerated } = object;
    const inGroup = `${groupOf(apiVersion)}/${own}`;
    let address = taken.has(own) && !isGenerated ? inGroup : own;
    while (taken.has(address)) {
      const count = (counts.get(own) ?? 1) + 1;
      counts.set(own, count);
      address = `${own}#${count}`;
    }
    taken.add(address);
    return { ...object, address };
  });
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash === -1 ? "core" : apiVersion.slice(0, slash);
}
