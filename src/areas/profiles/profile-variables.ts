import { unmaskPatch } from "#http/unmask-patch.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireFits } from "#kernel/limits/require-fits.ts";
import { type SealedPlace, sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, sealedNames, sealMap } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import type { Profile } from "#schema/profiles.ts";

type Owner = Pick<Profile, "id" | "tenantId" | "variables">;

/**
 * A profile's variables after a patch, as stored. A sealed value stays sealed; a value sent back as a mask is
 * unchanged.
 */
export async function patchProfileVariables(
  call: Call,
  profile: Owner,
  patch: JsonMap,
  secretNames: readonly string[],
): Promise<JsonMap> {
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  const place = placeOf(profile);
  const opened = await openMap(profile.variables, sealer, place);
  const sealed = sealedNames(profile.variables);
  const meant = unmaskPatch(patch, { sealed, secretNames });
  const names = new Set([...secretNames, ...sealed]);
  const patched = await sealMap(mergePatch(opened, meant), names, sealer, place);
  requireFits(patched, "`variables`");
  return patched;
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
