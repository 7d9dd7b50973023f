/** Maps with some secret values: each secret value is sealed separately, the others stay readable. */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";
import type { SealedPlace, Sealer } from "./seal.ts";

const MARK = "$sealed";

function sealedText(value: Json | undefined): string | undefined {
  if (!isJsonMap(value)) return undefined;
  const text = value[MARK];
  return typeof text === "string" && Object.keys(value).length === 1 ? text : undefined;
}

/**
 * Seals the named values. Also seals any input that looks like a sealed value, so that a caller cannot have another's
 * ciphertext opened.
 */
export async function sealMap(
  map: JsonMap,
  secretNames: ReadonlySet<string>,
  sealer: Sealer,
  place: SealedPlace,
): Promise<JsonMap> {
  return mapValues(map, async (value, name) =>
    secretNames.has(name) || sealedText(value) !== undefined
      ? { [MARK]: await sealer.seal(JSON.stringify(value), place) }
      : value,
  );
}

export async function openMap(map: JsonMap, sealer: Sealer, place: SealedPlace): Promise<JsonMap> {
  return mapValues(map, async (value) => {
    const text = sealedText(value);
    return text === undefined ? value : (JSON.parse(await sealer.open(text, place)) as Json);
  });
}

/**
 * As `openMap`, for a map under a merge patch. A value that the patch replaces as a whole becomes null and is not
 * opened. So a value whose sealing key is lost can be set again.
 */
export async function openUnderPatch(
  map: JsonMap,
  patch: JsonMap,
  sealer: Sealer,
  place: SealedPlace,
): Promise<JsonMap> {
  const left = Object.fromEntries(
    Object.entries(map).map(([name, value]): [string, Json] => [
      name,
      Object.hasOwn(patch, name) && !isJsonMap(patch[name]) ? null : value,
    ]),
  );
  return openMap(left, sealer, place);
}

/** The map for responses: sealed values read `[secret]`. */
export function maskMap(map: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(map).map(([name, value]) => [
      name,
      sealedText(value) === undefined ? value : MASK,
    ]),
  );
}

/** The names of the sealed values. */
export function sealedNames(map: JsonMap): Set<string> {
  return new Set(Object.keys(map).filter((name) => sealedText(map[name]) !== undefined));
}

async function mapValues(
  map: JsonMap,
  change: (value: Json, name: string) => Promise<Json>,
): Promise<JsonMap> {
  const entries = Object.entries(map).map(async ([name, value]): Promise<[string, Json]> => [
    name,
    await change(value, name),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
