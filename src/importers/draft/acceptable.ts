/** Removes the parts of a document that the check of templates refuses, until it passes, and writes it. */
import type { Diagnostic } from "#engine/diagnostics.ts";
import { noneResolved, type ResolvedComponents } from "#engine/template/checks/check-components.ts";
import { checkUnwritten } from "#engine/template/describe.ts";
import { MAX_SOURCE_CHARACTERS } from "#engine/template/document.ts";
import { ImportWork } from "#importers/import-work.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Catalogue } from "#providers/catalogue/catalogue.ts";
import { namesReadIn } from "./values/names-read-in.ts";
import { leastLength, written } from "./written.ts";

/** A document that passes the check. */
export interface Acceptable {
  /** Null: no part of it passes. */
  document: JsonMap | null;
  removed: readonly Removed[];
}

/** A removed part of a document, with the reason. */
export interface Removed {
  section: string;
  /** The name of the config value, resource or output. */
  name: string;
  /** The path of the removed part; null for the whole. */
  path: string | null;
  why: "refused" | "too_long";
  message: string;
}

/** The number of rounds that remove single parts. Later rounds remove whole resources. */
const FINE_ROUNDS = 12;
const MAX_ROUNDS = 30;

/**
 * Returns the part of a document that passes the check. No round writes the text: writing and parsing takes five times
 * as long as the check. `secretByPlace`: the names of secret config values that may be ordinary ones.
 */
export function acceptable(
  given: JsonMap,
  catalogue: Catalogue,
  work = new ImportWork(),
  components: ResolvedComponents = noneResolved,
  secretByPlace: ReadonlySet<string> = new Set(),
): Acceptable {
  const document = structuredClone(given);
  const removed: Removed[] = dropTooLong(document);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    dropUnused(document);
    if (Object.keys(section(document, "resources")).length === 0) break;
    if (!work.spendCheck(leastLength(document))) return nothing(document, removed, tooMuchWork);
    const { failed, diagnostics } = checkUnwritten(document, catalogue, components);
    if (!failed) return { document, removed };
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    // Whatever an ordinary value lets pass stays.
    if (showValues(document, errors, secretByPlace)) continue;
    const before = removed.length;
    for (const error of laterFirst(errors)) {
      const left = leaveOut(document, error, round < FINE_ROUNDS);
      if (left !== undefined) removed.push(left);
    }
    if (removed.length === before) break;
  }
  return nothing(document, removed, refusedAsWhole);
}

/** Writes a document that passes. Resources beyond the length of a template are removed. */
export function fitting(
  { document, removed }: Acceptable,
  catalogue: Catalogue,
  work = new ImportWork(),
  components: ResolvedComponents = noneResolved,
  secretByPlace: ReadonlySet<string> = new Set(),
): Acceptable & { source: string | null } {
  if (document === null) return { document, removed, source: null };
  if (!work.spendWriting(leastLength(document)))
    return { ...nothing(document, removed, tooMuchWork), source: null };
  const source = written(document);
  if (source.length <= MAX_SOURCE_CHARACTERS) return { document, removed, source };
  const shorter = structuredClone(document);
  const dropped = dropLast(shorter, source.length / MAX_SOURCE_CHARACTERS);
  const rest = acceptable(shorter, catalogue, work, components, secretByPlace);
  const left = { ...rest, removed: [...removed, ...dropped, ...rest.removed] };
  return fitting(left, catalogue, work, components, secretByPlace);
}

/**
 * Makes ordinary values of the secret ones that keep others from passing, of those names. False: there are none.
 */
function showValues(
  document: JsonMap,
  errors: readonly Diagnostic[],
  names: ReadonlySet<string>,
): boolean {
  const sealed = names.size === 0 ? [] : errors.filter(({ code }) => code === "sealed_value");
  const config = section(document, "config");
  const variables = section(document, "variables");
  const read = new Set(sealed.flatMap(({ path }) => [...namesReadIn(valueAt(document, path))]));
  let shown = 0;
  for (const name of read) {
    const declared = config[name];
    if (names.has(name) && isJsonMap(declared) && declared["secret"] === true) {
      delete declared["secret"];
      shown += 1;
    }
    // The set grows while it is read.
    for (const one of namesReadIn(variables[name] ?? null)) read.add(one);
  }
  return shown > 0;
}

/** The value at a diagnostic's path, or the nearest one around it. */
function valueAt(document: JsonMap, path: string): Json {
  let at: Json = document;
  for (const step of path.split("/").slice(1).map(unescaped)) {
    const below: Json | undefined = Array.isArray(at)
      ? at[Number(step)]
      : isJsonMap(at)
        ? at[step]
        : undefined;
    if (below === undefined) break;
    at = below;
  }
  return at === document ? null : at;
}

/** The names in a section. */
export function namesIn({ document }: Acceptable, name: string): Set<string> {
  return new Set(Object.keys(document === null ? {} : section(document, name)));
}

const tooMuchWork = "The drafts of this import take too long: import fewer folders at a time.";
const refusedAsWhole = "The check refuses the template as a whole.";
const tooLong = "A template has at most 200,000 characters.";

/** The result if no part passes: all remaining resources are removed. */
function nothing(document: JsonMap, removed: readonly Removed[], message: string): Acceptable {
  const left = Object.keys(section(document, "resources")).map((name) =>
    wholeResource(name, "refused", message),
  );
  return { document: null, removed: [...removed, ...left] };
}

function wholeResource(name: string, why: Removed["why"], message: string): Removed {
  return { section: "resources", name, path: null, why, message };
}

function section(document: JsonMap, name: string): JsonMap {
  const found = document[name];
  return isJsonMap(found) ? found : {};
}

/** Removes config values and variables that nothing reads, so that nobody is asked for them. */
function dropUnused(document: JsonMap): void {
  const config = section(document, "config");
  const variables = section(document, "variables");
  const used = namesReadIn([section(document, "resources"), section(document, "outputs")]);
  // Variables read others that stand before them.
  for (const name of Object.keys(variables).toReversed())
    if (!used.has(name)) delete variables[name];
    else for (const one of namesReadIn(variables[name] ?? null)) used.add(one);
  for (const name of Object.keys(config)) if (!used.has(name)) delete config[name];
}

/** Removes the last resources, if the text would be too long in any form. */
function dropTooLong(document: JsonMap): Removed[] {
  const resources = section(document, "resources");
  const dropped: Removed[] = [];
  let length = 0;
  for (const [name, resource] of Object.entries(resources)) {
    length += leastLength({ [name]: resource });
    if (length <= MAX_SOURCE_CHARACTERS) continue;
    delete resources[name];
    dropped.push(wholeResource(name, "too_long", tooLong));
  }
  return dropped;
}

/** Removes the last resources until the rest fits. */
function dropLast(document: JsonMap, excess: number): Removed[] {
  const resources = section(document, "resources");
  const names = Object.keys(resources);
  const kept = Math.floor((names.length / excess) * 0.9);
  return names.slice(kept).map((name) => {
    delete resources[name];
    return wholeResource(name, "too_long", tooLong);
  });
}

/** Sorts errors by place, the last first. Removing a list's item then leaves the indexes of earlier ones. */
function laterFirst(errors: readonly Diagnostic[]): Diagnostic[] {
  return errors.toSorted((a, b) => b.line - a.line || b.column - a.column);
}

function leaveOut(document: JsonMap, error: Diagnostic, isFine: boolean): Removed | undefined {
  const steps = error.path.split("/").slice(1).map(unescaped);
  const [of = "", name, ...rest] = steps;
  const entries = section(document, of);
  if (name === undefined || !Object.hasOwn(entries, name)) return undefined;
  const { message } = error;
  const [part, ...below] = rest;
  const entry = entries[name];
  const inProperty = of === "resources" && part === "properties" && below.length > 0;
  // Without the id of an existing object, the deploy would create it a second time.
  const isOfImport = of === "resources" && part === "options" && below[0] === "import";
  const removesPart =
    isFine &&
    !isOfImport &&
    isJsonMap(entry) &&
    (inProperty ||
      (of === "resources" && part === "options") ||
      (of === "config" && part !== undefined));
  if (error.code === "invalid_default" && isJsonMap(entry) && Object.hasOwn(entry, "default")) {
    // Its readers stay: the value is asked for.
    delete entry["default"];
    return { section: of, name, path: "default", why: "refused", message };
  }
  if (removesPart && error.code !== "missing_property") {
    const at = inProperty ? below : rest;
    const start: Json | undefined = inProperty ? entry["properties"] : entry;
    if (removeAt(start, at))
      return { section: of, name, path: at.join("."), why: "refused", message };
  }
  delete entries[name];
  return { section: of, name, path: null, why: "refused", message };
}

/** Removes the value at the path, or the nearest existing value around it. */
function removeAt(start: Json | undefined, path: readonly string[]): boolean {
  let at: Json | undefined = start;
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1;
    if (Array.isArray(at)) {
      const place = Number(step);
      if (!Number.isInteger(place) || place >= at.length) return false;
      if (isLast) at.splice(place, 1);
      else at = at[place];
    } else if (isJsonMap(at)) {
      if (!Object.hasOwn(at, step)) return false;
      // A function's argument cannot be removed alone, so the whole call is.
      const next: Json | undefined = at[step];
      if (isLast || isFunction(next)) {
        delete at[step];
        return true;
      }
      at = next;
    } else return false;
  }
  return true;
}

function isFunction(value: Json | undefined): boolean {
  return isJsonMap(value) && Object.keys(value).some((key) => key.startsWith("fn::"));
}

function unescaped(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
