import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ObjectShape } from "#providers/provider.ts";

export type Naming = MappingTable["naming"];

/** Converts a name of the source to our provider's spelling. */
export function converted(name: string, naming: Naming): string {
  if (naming === "same" || !/^[a-z0-9_]+$/.test(name)) return name;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return naming === "camel" ? camel : camel.charAt(0).toUpperCase() + camel.slice(1);
}

const spellings = new WeakMap<ObjectShape, ReadonlyMap<string, string>>();

/**
 * The property of the shape for a name: the converted name, or one that differs only in letter case and underscores
 * (`dns_name` and `DNSName`). Undefined: there is none.
 */
export function propertyIn(shape: ObjectShape, name: string, naming: Naming): string | undefined {
  const wanted = converted(name, naming);
  if (Object.hasOwn(shape.properties, wanted)) return wanted;
  return naming === "same" ? undefined : spellingsOf(shape).get(plain(name));
}

function spellingsOf(shape: ObjectShape): ReadonlyMap<string, string> {
  const known = spellings.get(shape);
  if (known !== undefined) return known;
  const made = new Map(Object.keys(shape.properties).map((name) => [plain(name), name]));
  spellings.set(shape, made);
  return made;
}

function plain(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}
