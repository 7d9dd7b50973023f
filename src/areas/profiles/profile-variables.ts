import { unmaskPatch } from "#http/unmask-patch.ts";
import type { Call } from "#kernel/call/call.ts";
import { type SealedPlace, sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, sealedNames, sealMap } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import type { Profile } from "#schema/profiles.ts";

type Owner = Pick<Profile, "id" | "tenantId" | "variables">;

/** A profile's variables after a patch, as they are stored. A value that was sealed stays so, masked ones what they are. */
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
  return sealMap(mergePatch(opened, meant), new Set([...secretNames, ...sealed]), sealer, place);
}

/**
 * What a profile gives to one that declares `names`, as that one stores it: sealed for `place` are those that are
 * secret to either of them.
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
