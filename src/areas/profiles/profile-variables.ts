import { unknownVariable, VariableCheck } from "#engine/given-variables.ts";
import { own } from "#engine/template/own.ts";
import { refuseVariables } from "#http/refuse-variables.ts";
import { unmaskPatch } from "#http/unmask-patch.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireFits } from "#kernel/limits/require-fits.ts";
import { type SealedPlace, sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, openUnderPatch, sealedNames, sealMap } from "#platform/crypto/sealed-map.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { nearest } from "#platform/text/nearest.ts";
import type { Profile } from "#schema/profiles.ts";

type Owner = Pick<Profile, "id" | "tenantId" | "variables">;

/** The declarations of a template version that inherits from the profile. */
export interface ProfileReader {
  template: string;
  number: number;
  /** The names of its variables. */
  names: readonly string[];
  /** The JSON Schemas of its variables that the request gives. */
  schemas: JsonMap;
}

/**
 * A profile's variables after a patch, as stored. A sealed value stays sealed; a mask keeps the stored value. Throws
 * `validation_failed` for a value that one of the `readers` does not allow, and for a name that no reader declares and
 * that resembles a declared one. Other names are kept for future templates.
 */
export async function patchProfileVariables(
  call: Call,
  profile: Owner,
  patch: JsonMap,
  { secretNames, readers }: { secretNames: readonly string[]; readers: readonly ProfileReader[] },
): Promise<JsonMap> {
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  const place = placeOf(profile);
  const sealed = sealedNames(profile.variables);
  const meant = unmaskPatch(patch, { sealed, secretNames });
  const opened = await openUnderPatch(profile.variables, meant, sealer, place);
  const after = mergePatch(opened, meant);
  const check = new VariableCheck({ before: opened, patch: meant, after, sealed });
  refuseVariables([
    ...check.names.flatMap((name) => faultsFor(check, name, readers)),
    ...misspelt(check.names, readers),
  ]);
  const patched = await sealMap(after, new Set([...secretNames, ...sealed]), sealer, place);
  requireFits(patched, "`variables`");
  return patched;
}

function faultsFor(check: VariableCheck, name: string, readers: readonly ProfileReader[]) {
  return readers.flatMap(({ template, number, schemas }) => {
    const schema = own(schemas, name);
    const faults = isJsonMap(schema) ? check.faultsOf(name, schema) : [];
    return faults.map((fault) => ({
      ...fault,
      detail: `${fault.detail} An instance with this profile uses version ${number} of the template ${template}.`,
    }));
  });
}

/** Bounds the comparisons: each name is compared with every declared one. */
const MAX_COMPARED = 100;
const MAX_DECLARED = 1_000;

/** The undeclared names that resemble a declared one. */
function misspelt(names: readonly string[], readers: readonly ProfileReader[]) {
  const declared = new Set(readers.flatMap((reader) => reader.names));
  const candidates = [...declared].slice(0, MAX_DECLARED);
  const unknown = names.filter((name) => !declared.has(name)).slice(0, MAX_COMPARED);
  return unknown.flatMap((name) => {
    const close = nearest(name, candidates);
    const who = "No template of an instance with this profile declares";
    return close === undefined ? [] : [unknownVariable(name, close, { who })];
  });
}

/**
 * The profile's variables for an instance that declares `names`, as the instance stores them: a variable that
 * is secret in either is sealed for `place`.
 */
export async function inheritedVariables(
  call: Call,
  profile: Owner,
  taker: { names: readonly string[]; secretNames: readonly string[]; place: SealedPlace },
): Promise<JsonMap> {
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  const wanted = new Set(taker.names);
  const taken = Object.fromEntries(
    Object.entries(profile.variables).filter(([name]) => wanted.has(name)),
  );
  const opened = await openMap(taken, sealer, placeOf(profile));
  const secret = new Set([...taker.secretNames, ...sealedNames(taken)]);
  return sealMap(opened, secret, sealer, taker.place);
}

function placeOf(profile: Owner): SealedPlace {
  return { table: "profiles", tenantId: profile.tenantId, row: profile.id, column: "variables" };
}
