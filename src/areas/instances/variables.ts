import { unmaskPatch } from "#http/unmask-patch.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireFits } from "#kernel/limits/require-fits.ts";
import { type SealedPlace, sealerFrom } from "#platform/crypto/seal.ts";
import { openMap, sealedNames, sealMap } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";

/**
 * An instance's variables after a patch, as stored: secret ones are sealed for this instance. A sealed value
 * stays sealed, even if the template no longer declares it secret; a value sent back as a mask is unchanged.
 */
export async function patchVariables(
  call: Call,
  instance: { id: string; tenantId: string; variables: JsonMap },
  patch: JsonMap,
  secretNames: readonly string[],
): Promise<JsonMap> {
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  const place = variablesPlace(instance);
  const opened = await openMap(instance.variables, sealer, place);
  const sealed = sealedNames(instance.variables);
  const meant = unmaskPatch(patch, { sealed, secretNames });
  const names = new Set([...secretNames, ...sealed]);
  const patched = await sealMap(mergePatch(opened, meant), names, sealer, place);
  requireFits(patched, "`variables`");
  return patched;
}

/** The place that an instance's variables are sealed for, in its row and in its deployments' inputs. */
export function variablesPlace({ id, tenantId }: { id: string; tenantId: string }): SealedPlace {
  return { table: "instances", tenantId, row: id, column: "variables" };
}
