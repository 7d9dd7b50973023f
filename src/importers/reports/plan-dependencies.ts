import { MAX_NAME } from "#importers/name-limits.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mapAt, mapsAt, textAt, textsAt } from "./json-parts.ts";

/**
 * The references within each module of a plan's `configuration`: addresses by address, both without indexes. Of the
 * expressions only the names are read.
 */
export function planDependencies(plan: JsonMap): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const root = mapAt(mapAt(plan, "configuration"), "root_module");
  const waiting: { module: JsonMap; prefix: string }[] =
    root === undefined ? [] : [{ module: root, prefix: "" }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { module, prefix } = next;
    const resources = mapsAt(module, "resources");
    const known = new Set(resources.map((resource) => textAt(resource, "address")));
    for (const resource of resources) {
      const address = textAt(resource, "address");
      if (address === undefined) continue;
      const names = new Set<string>();
      for (const reference of [
        ...textsAt(resource, "depends_on"),
        ...referencesIn(resource["expressions"]),
        ...referencesIn(resource["count_expression"]),
        ...referencesIn(resource["for_each_expression"]),
      ]) {
        const name = resourceIn(reference);
        if (name !== address && known.has(name)) names.add(`${prefix}${name}`);
      }
      if (names.size > 0) found.set(`${prefix}${address}`, [...names]);
    }
    for (const [name, call] of Object.entries(mapAt(module, "module_calls") ?? {})) {
      const called = isJsonMap(call) ? mapAt(call, "module") : undefined;
      // Every resource of the module repeats this prefix.
      const isShort = prefix.length + name.length <= MAX_NAME;
      if (called !== undefined && isShort)
        waiting.push({ module: called, prefix: `${prefix}module.${name}.` });
    }
  }
  return found;
}

function* referencesIn(expressions: Json | undefined): Generator<string> {
  const waiting: (Json | undefined)[] = [expressions];
  while (waiting.length > 0) {
    const at = waiting.pop();
    if (Array.isArray(at)) for (const item of at) waiting.push(item);
    else if (isJsonMap(at))
      for (const [name, value] of Object.entries(at)) {
        if (name === "references") yield* textsAt(at, name);
        else if (name !== "constant_value") waiting.push(value);
      }
  }
}

/** The address at the start of a reference: `aws_vpc.main` of `aws_vpc.main[0].id`. */
function resourceIn(reference: string): string {
  return /^(?:data\.)?[\w-]{1,256}\.[\w-]{1,256}/.exec(reference)?.[0] ?? "";
}
