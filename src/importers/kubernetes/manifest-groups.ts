/**
 * Decides which manifests are one draft. The files of a folder belong together. Two folders belong together if a file of
 * Kustomize in the one lists the other below it, or if an object of the one names an object that only the other has. No
 * draft has two versions of an object.
 */
import { folderOf } from "#importers/import-file.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { isSameValue } from "#importers/text/same-value.ts";
import { identityOf, type KubernetesObject } from "./kubernetes-object.ts";
import type { Kustomization } from "./kustomization.ts";
import { namedBy } from "./object-references.ts";

export interface ManifestGroup {
  /** A folder, or the file if there is only one. */
  path: string;
  files: readonly string[];
  objects: readonly KubernetesObject[];
}

/** The files of a folder that have no two versions of an object. */
interface Part {
  folder: string;
  files: string[];
  /** By identity. */
  objects: Map<string, KubernetesObject>;
  /** Whether it is another version of something, so that what it names may be in several places. */
  isVariant: boolean;
}

interface PlacedPart {
  part: Part;
  at: number;
}

interface Group {
  parts: Part[];
  objects: Map<string, KubernetesObject>;
}

/** The limit of templates. Larger groups stay folders of their own. */
const MAX_OBJECTS = 500;
/** The limits on references that are followed between folders, and on resources of kustomizations. */
const MAX_FOLLOWED = 50_000;
const MAX_LISTED = 100_000;

/** The groups of an import's manifests, in the order of their first files. */
export function manifestGroups(
  manifests: ReadonlyMap<string, readonly KubernetesObject[]>,
  kustomizations: readonly Kustomization[],
  log: ImportLog,
): readonly ManifestGroup[] {
  const parts = partsOf(manifests, kustomizations, log);
  const joined = new Joined(parts);
  joined.joinListed(kustomizations);
  joined.joinReferences();
  return withPaths(joined.all());
}

function partsOf(
  manifests: ReadonlyMap<string, readonly KubernetesObject[]>,
  kustomizations: readonly Kustomization[],
  log: ImportLog,
): Part[] {
  const listed = new Map(kustomizations.map((one) => [one.folder, new Set(one.resources)]));
  const overlays = new Set(
    kustomizations
      .filter(({ folder, resources }) => resources.some((path) => !isBelow(path, folder)))
      .map(({ folder }) => folder),
  );
  const folders = new Map<string, Part>();
  const parts: Part[] = [];
  for (const [file, objects] of manifests) {
    const folder = folderOf(file);
    const isListed = listed.get(folder)?.has(file) ?? true;
    const known = isListed ? folders.get(folder) : undefined;
    const other = known && versionIn(known, objects);
    if (known !== undefined && other === undefined) {
      add(known, file, objects, log);
      continue;
    }
    if (other !== undefined) {
      const message = `\`${other}\` declares an object of this file in another way: this file is a draft of its own.`;
      log.add("info", "alternative_manifest", message, { file });
    }
    const isVariant = !isListed || other !== undefined || overlays.has(folder);
    const part: Part = { folder, files: [], objects: new Map(), isVariant };
    add(part, file, objects, log);
    parts.push(part);
    if (isListed && known === undefined) folders.set(folder, part);
  }
  return parts;
}

/** The file of another version of one of the objects; undefined if there is none. */
function versionIn(part: Part, objects: readonly KubernetesObject[]): string | undefined {
  for (const object of objects) {
    const other = part.objects.get(identityOf(object));
    if (other !== undefined && !object.isGenerated && !isSameValue(other.node, object.node))
      return other.file;
  }
  return undefined;
}

/** Adds the objects of a file. An object that the part has already is left out. */
function add(
  { files, objects: own }: Part,
  file: string,
  objects: readonly KubernetesObject[],
  log: ImportLog,
): void {
  files.push(file);
  for (const object of objects) {
    const { isGenerated, node } = object;
    const identity = isGenerated ? `${identityOf(object)} ${own.size}` : identityOf(object);
    const other = own.get(identity);
    if (other === undefined) own.set(identity, object);
    else {
      const message = `\`${other.file}\` has the same object: it is listed there.`;
      log.add("info", "repeated_object", message, { file, line: node.line });
    }
  }
}

/** Parts that belong together. */
class Joined {
  readonly #parts: readonly Part[];
  readonly #groups: Map<Part, Group>;

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
    this.#groups = new Map(
      parts.map((part) => [part, { parts: [part], objects: new Map(part.objects) }]),
    );
  }

  /** The parts of each group, in their order. */
  all(): readonly (readonly Part[])[] {
    return [...Map.groupBy(this.#parts, (part) => this.#groups.get(part)).values()];
  }

  /** Joins the folders and files below each file of Kustomize that it lists, also through others. */
  joinListed(kustomizations: readonly Kustomization[]): void {
    const byFolder = new Map(kustomizations.map((one) => [one.folder, one]));
    const placed = this.#places();
    let left = MAX_LISTED;
    for (const { folder, resources } of kustomizations) {
      const wanted = new Set<string>();
      const waiting = [...resources];
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        left -= 1;
        if (left < 0) return;
        if (!isBelow(path, folder) || wanted.has(path)) continue;
        wanted.add(path);
        for (const one of byFolder.get(path)?.resources ?? []) waiting.push(one);
      }
      const found = new Set([...wanted].flatMap((path) => placed.get(path) ?? []));
      const [first, ...others] = [...found].toSorted((one, other) => one.at - other.at);
      if (first !== undefined) for (const { part } of others) this.#join(first.part, part);
    }
  }

  /** The parts in each folder and with each file, in their order. */
  #places(): ReadonlyMap<string, readonly PlacedPart[]> {
    const places = new Map<string, PlacedPart[]>();
    for (const [at, part] of this.#parts.entries()) {
      const one = { part, at };
      for (const path of [part.folder, ...part.files]) {
        const own = places.get(path);
        if (own === undefined) places.set(path, [one]);
        else own.push(one);
      }
    }
    return places;
  }

  /** Joins a part with the only other part that has an object which it names. */
  joinReferences(): void {
    const declaring = new Map<string, Part | "several">();
    const certain = this.#parts.filter(({ isVariant }) => !isVariant);
    for (const part of certain)
      for (const { address, isGenerated } of part.objects.values())
        if (!isGenerated) declaring.set(address, declaring.has(address) ? "several" : part);
    let left = MAX_FOLLOWED;
    for (const part of certain)
      for (const object of part.objects.values())
        for (const address of namedBy(object)) {
          left -= 1;
          if (left < 0) return;
          const only = joins(address) ? declaring.get(address) : undefined;
          if (only !== undefined && only !== "several") this.#join(only, part);
        }
  }

  #join(one: Part, other: Part): void {
    const into = this.#groups.get(one);
    const from = this.#groups.get(other);
    if (into === undefined || from === undefined || into === from) return;
    if (into.objects.size + from.objects.size > MAX_OBJECTS) return;
    for (const identity of from.objects.keys()) if (into.objects.has(identity)) return;
    for (const [identity, object] of from.objects) into.objects.set(identity, object);
    for (const part of from.parts) {
      into.parts.push(part);
      this.#groups.set(part, into);
    }
  }
}

/** Folders with nothing else in common name the same kinds of a whole cluster, except namespaces. */
function joins(address: string): boolean {
  return address.startsWith("Namespace/") || address.split("/").length > 2;
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && (folder === "." || path.startsWith(`${folder}/`));
}

function withPaths(groups: readonly (readonly Part[])[]): ManifestGroup[] {
  const taken = new Set<string>();
  return groups.map((parts) => {
    const files = parts.flatMap((part) => part.files);
    const [file = ""] = files;
    const wanted = files.length === 1 ? [file] : [commonFolder(files), folderOf(file), file];
    const path = wanted.find((one) => !taken.has(one)) ?? file;
    taken.add(path);
    return { path, files, objects: parts.flatMap(({ objects }) => [...objects.values()]) };
  });
}

function commonFolder(files: readonly string[]): string {
  let common: readonly string[] | undefined;
  for (const file of files) {
    const steps = file.split("/").slice(0, -1);
    const differs = (common ?? steps).findIndex((step, at) => step !== steps[at]);
    common = differs === -1 ? (common ?? steps) : steps.slice(0, differs);
  }
  return common === undefined || common.length === 0 ? "." : common.join("/");
}
