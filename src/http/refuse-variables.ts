import { ApiError } from "#kernel/errors.ts";

/** Throws `validation_failed` if there are faults; their pointers are into `variables` of the body. */
export function refuseVariables(
  faults: readonly { pointer: string; code: string; detail: string }[],
): void {
  if (faults.length === 0) return;
  throw new ApiError("validation_failed", "The variables are not valid; `errors` says where.", {
    faults: faults
      .slice(0, 100)
      .map((fault) => ({ ...fault, in: "body", pointer: `/variables${fault.pointer}` })),
  });
}
