import { jsonBytes, type JsonMap } from "#platform/json.ts";
import { ProgramError } from "./program-error.ts";

/** A row of D1 or of the runner's storage holds 2 MB. The outputs share it, and secret ones are stored twice. */
const MAX_OUTPUTS_BYTES = 300_000;

/** Throws `ProgramError` if the outputs, with their secrets, are too large to store. */
export function requireOutputsFit(outputs: JsonMap): void {
  if (jsonBytes(outputs) > MAX_OUTPUTS_BYTES)
    throw new ProgramError(
      "outputs_too_large",
      `The outputs exceed ${MAX_OUTPUTS_BYTES / 1000} KB in total. Return less data in them.`,
    );
}
