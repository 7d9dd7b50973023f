import type { Dependency } from "#importers/source-module.ts";
import { memberOf, nameIn, oneOrMany, type DataNode } from "#importers/text/data-node.ts";
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
  ["serviceAccount", [{ kind: "ServiceAccount" }]],
  ["persistentVolumeClaim", [{ kind: "PersistentVolumeClaim", at: "claimName" }]],
  ["storageClassName", [{ kind: "StorageClass" }]],
  ["volumeName", [{ kind: "PersistentVolume" }]],
  ["ingressClassName", [{ kind: "IngressClass" }]],
  ["gatewayClassName", [{ kind: "GatewayClass" }]],
  ["priorityClassName", [{ kind: "PriorityClass" }]],
  ["runtimeClassName", [{ kind: "RuntimeClass" }]],
]);

/** Members that name an object together with its kind. The kind that some may leave out. */
const withKind: ReadonlyMap<string, string | undefined> = new Map([
  ["backendRefs", "Service"],
  ["claimRef", "PersistentVolumeClaim"],
  ["gatewayRef", undefined],
  ["issuerRef", undefined],
  ["ownerReferences", undefined],
  ["parentRefs", "Gateway"],
  ["roleRef", undefined],
  ["scaleTargetRef", undefined],
  ["secretStoreRef", undefined],
  ["sourceRef", undefined],
  ["subjects", undefined],
  ["targetRef", undefined],
]);

interface Named {
  address: string;
  line: number;
}

/** The objects that an object names: its namespace, its volumes, its owners. */
function* referencesOf({ namespace, node }: KubernetesObject): Iterable<Named> {
  if (namespace !== undefined)
    yield { address: addressOf("Namespace", undefined, namespace), line: node.line };
  const named = (kind: string, name: string, { line }: DataNode, around?: DataNode): Named => ({
    address: addressOf(kind, nameIn(memberOf(around, "namespace")) ?? namespace, name),
    line,
  });
  const waiting: DataNode[] = [node];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at.kind === "list") for (const item of at.items.toReversed()) waiting.push(item);
    if (at.kind !== "map") continue;
    for (const [name, value] of at.members) {
      for (const { kind, at: member } of namings.get(name) ?? []) {
        const given = nameIn(member === undefined ? value : memberOf(value, member));
        if (given !== undefined) yield named(kind, given, value, value);
      }
      if (name === "imagePullSecrets")
        for (const one of oneOrMany(value)) {
          const given = nameIn(memberOf(one, "name"));
          if (given !== undefined) yield named("Secret", given, one);
        }
      if (withKind.has(name))
        for (const one of oneOrMany(value)) {
          const kind = nameIn(memberOf(one, "kind")) ?? withKind.get(name);
          const given = nameIn(memberOf(one, "name"));
          if (kind !== undefined && given !== undefined) yield named(kind, given, one, one);
        }
    }
    for (const value of [...at.members.values()].toReversed()) waiting.push(value);
  }
}

/** The addresses of the objects that an object names. */
export function* namedBy(object: KubernetesObject): Iterable<string> {
  for (const { address } of referencesOf(object)) yield address;
}

/** The limits on services and workloads that are compared, and on steps in search of circles. */
const MAX_COMPARED = 100_000;
const MAX_STEPS = 500_000;
/** Labels whose comparison takes the time of a workload. */
const LABELS_OF_WORKLOAD = 8;

/** Finds the dependencies between the objects of one draft. */
export class ObjectReferences {
  readonly #objects: ReadonlyMap<string, KubernetesObject>;
  readonly #reads: (address: string) => readonly string[];
  /** The definitions of custom resources, by group and kind. */
  readonly #definitions = new Map<string, KubernetesObject>();
  /** The workloads of each namespace with the labels of their pods. */
  readonly #workloads = new Map<string, { object: KubernetesObject; labels: Labels }[]>();
  /** The workloads of each service and disruption budget. */
  readonly #selected = new Map<string, readonly Named[]>();
  readonly #direct = new Map<string, readonly string[]>();
  #compared = 0;
  #steps = 0;

  /** `reads`: the addresses that the settings of an object refer to. */
  constructor(
    objects: readonly KubernetesObject[],
    reads: (address: string) => readonly string[] = () => [],
  ) {
    this.#objects = new Map(objects.map((object) => [object.address, object]));
    this.#reads = reads;
    for (const object of objects) {
      const { kind, node, namespace = "" } = object;
      const spec = memberOf(node, "spec");
      if (kind === "CustomResourceDefinition") {
        const named = nameIn(memberOf(memberOf(spec, "names"), "kind"));
        this.#definitions.set(`${nameIn(memberOf(spec, "group"))}/${named}`, object);
      }
      const labels = labelsIn(memberOf(memberOf(memberOf(spec, "template"), "metadata"), "labels"));
      if (labels.size === 0) continue;
      const own = this.#workloads.get(namespace) ?? [];
      this.#workloads.set(namespace, own);
      own.push({ object, labels });
    }
    for (const object of objects) {
      const free: Named[] = [];
      this.#selected.set(object.address, free);
      // A service that its own workload needs first cannot wait for it.
      for (const one of this.#selectedBy(object))
        if (!this.#leadsTo(one.address, object.address)) free.push(one);
    }
  }

  of(object: KubernetesObject): readonly Dependency[] {
    const { address: own, file } = object;
    const found = new Map<string, Dependency>();
    const add = (address: string, line: number): void => {
      if (address === own || !this.#objects.has(address) || found.has(address)) return;
      found.set(address, { address, line, file });
    };
    for (const { address, line } of referencesOf(object)) add(address, line);
    const { apiVersion, kind, node } = object;
    const definition = this.#definitions.get(`${apiVersion.split("/", 1)[0]}/${kind}`);
    if (definition !== undefined) add(definition.address, node.line);
    for (const { address, line } of this.#selected.get(own) ?? []) add(address, line);
    return [...found.values()];
  }

  /** Whether an object waits for another one, directly or through others. True where finding out takes too long. */
  #leadsTo(from: string, to: string): boolean {
    const seen = new Set<string>();
    const waiting = [from];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === to) return true;
      if (seen.has(at)) continue;
      seen.add(at);
      const needed = this.#needed(at);
      const selected = this.#selected.get(at) ?? [];
      this.#steps += 1 + needed.length + selected.length;
      if (this.#steps > MAX_STEPS) return true;
      for (const next of needed) waiting.push(next);
      for (const { address } of selected) waiting.push(address);
    }
    return false;
  }

  #needed(address: string): readonly string[] {
    const known = this.#direct.get(address);
    if (known !== undefined) return known;
    const object = this.#objects.get(address);
    const named = new Set(object === undefined ? [] : namedBy(object));
    for (const one of this.#reads(address)) named.add(one);
    const needed = [...named].filter((one) => one !== address && this.#objects.has(one));
    this.#direct.set(address, needed);
    return needed;
  }

  /** The workloads whose pods a service or a disruption budget selects. */
  #selectedBy({ kind, apiVersion, node, namespace = "" }: KubernetesObject): readonly Named[] {
    const written = memberOf(memberOf(node, "spec"), "selector");
    const isService = kind === "Service" && apiVersion === "v1";
    if (!isService && kind !== "PodDisruptionBudget") return [];
    const given = isService ? written : memberOf(written, "matchLabels");
    const wanted = labelsIn(given);
    if (given?.kind !== "map" || wanted.size === 0 || wanted.size !== given.members.size) return [];
    const workloads = this.#workloads.get(namespace) ?? [];
    this.#compared += workloads.length * Math.ceil(wanted.size / LABELS_OF_WORKLOAD);
    if (this.#compared > MAX_COMPARED) return [];
    const selector = [...wanted];
    return workloads
      .filter(({ labels }) => selector.every(([label, value]) => labels.get(label) === value))
      .map(({ object: { address } }) => ({ address, line: given.line }));
  }
}

type Labels = ReadonlyMap<string, string>;

function labelsIn(node: DataNode | undefined): Labels {
  if (node?.kind !== "map") return new Map();
  return new Map(
    [...node.members].flatMap(([name, value]) => {
      const text = nameIn(value);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
