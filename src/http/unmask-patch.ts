import { ApiError } from "#kernel/errors.ts";
import { escapePointer, type JsonMap } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";

/**
 * Removes masks from a patch of `variables`. Callers may send back the masked values that they read: `[secret]` for a
 * value that is `sealed` keeps that value. Throws `validation_failed` for a mask without a stored value: a mask copied
 * from another object would become the password.
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
      detail: "`[secret]` keeps the stored value, but none is stored yet. Send the value itself.",
    }));
  if (faults.length > 0)
    throw new ApiError(
      "validation_failed",
      "`[secret]` was sent for a variable that has no stored value.",
      { faults },
    );
  return Object.fromEntries(Object.entries(patch).filter(([name]) => !masked.includes(name)));
}
