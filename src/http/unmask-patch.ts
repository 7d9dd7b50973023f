import { ApiError } from "#kernel/errors.ts";
import { escapePointer, type JsonMap } from "#platform/json.ts";

/** What answers show in place of a sealed value. */
const MASK = "[secret]";

/**
 * A patch of `variables` by someone who may have sent back what was shown: a mask over a value that is `sealed`
 * leaves that value as it is. Throws `validation_failed` for a mask over a secret that has no value: copied from
 * another object, it would become the password.
 */
export function unmaskPatch(
  patch: JsonMap,
  { sealed, secretNames }: { sealed: ReadonlySet<string>; secretNames: readonly string[] },
): JsonMap {
  const masked = Object.keys(patch).filter(
    (name) => patch[name] === MASK && (sealed.has(name) || secretNames.includes(name)),
  );
  const faults = masked
    .filter((name) => !sealed.has(name))
    .map((name) => ({
      in: "body" as const,
      pointer: `/variables/${escapePointer(name)}`,
      code: "masked_value",
      detail: "`[secret]` stands for a value that is not shown, and there is none yet: give it.",
    }));
  if (faults.length > 0)
    throw new ApiError("validation_failed", "A secret needs its value, not the mask.", { faults });
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !masked.includes(name)));
}
