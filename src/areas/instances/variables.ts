import { declarationsIn, variableFaults } from "#engine/given-variables.ts";
import { refuseVariables } from "#http/refuse-variables.ts";
import { unmaskPatch } from "#http/unmask-patch.ts";
import type { Call } from "#kernel/call/call.ts";
import { requireFits } from "#kernel/limits/require-fits.ts";
import { type SealedPlace, sealerFrom } from "#platform/crypto/seal.ts";
import { openUnderPatch, sealedNames, sealMap } from "#platform/crypto/sealed-map.ts";
import type { JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";

/** The template version whose declarations the variables must meet. */
export interface VariablesVersion {
  secretNames: readonly string[];
  /** The JSON Schema of the variables. */
  config: JsonMap;
  /** The instance has used another version so far: its variables are checked too. */
  isNew: boolean;
}

/**
 * An instance's variables after a patch, as stored: secret ones are sealed for this instance. A sealed value stays
 * sealed, even if the template no longer declares it secret. A value sent back as a mask is unchanged. Throws
 * `validation_failed` for a value or a name that the version does not allow. Missing variables are allowed, because a
 * profile or a binding may give them. Without a version nothing is checked.
 */
export async function patchVariables(
  call: Call,
  instance: { id: string; tenantId: string; variables: JsonMap },
  patch: JsonMap,
  version: VariablesVersion | undefined,
): Promise<JsonMap> {
  const secretNames = version?.secretNames ?? [];
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  const place = variablesPlace(instance);
  const sealed = sealedNames(instance.variables);
  const meant = unmaskPatch(patch, { sealed, secretNames });
  const opened = await openUnderPatch(instance.variables, meant, sealer, place);
  const after = mergePatch(opened, meant);
  if (version !== undefined)
    refuseVariables(
      variableFaults(
        declarationsIn(version.config),
        { before: opened, patch: meant, after, sealed },
        version.isNew,
      ),
    );
  const patched = await sealMap(after, new Set([...secretNames, ...sealed]), sealer, place);
  requireFits(patched, "`variables`");
  return patched;
}

/** The place to which an instance's variables are sealed, in its row and in its deployments' inputs. */
export function variablesPlace({ id, tenantId }: { id: string; tenantId: string }): SealedPlace {
  return { table: "instances", tenantId, row: id, column: "variables" };
}
