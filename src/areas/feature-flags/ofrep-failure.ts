import { ApiError } from "#kernel/errors.ts";
import type { EvaluationFailure } from "./ofrep-contract.ts";

/**
 * A failed request as the protocol tells it, for the statuses it has a body for; undefined for the others, whose
 * answer stays a problem. `error`: what was thrown; `status`: what it is answered with.
 */
export function ofrepFailure(
  error: unknown,
  status: number,
): Omit<EvaluationFailure, "key"> | undefined {
  if (status === 500)
    return { errorCode: "GENERAL", errorDetails: "Something went wrong here, not in the request." };
  if (status !== 400) return undefined;
  if (!(error instanceof ApiError))
    return { errorCode: "PARSE_ERROR", errorDetails: "The body is not valid JSON." };
  const fault = error.faults[0];
  if (fault === undefined || fault.pointer === "")
    return { errorCode: "PARSE_ERROR", errorDetails: fault?.detail ?? error.message };
  return {
    errorCode: fault.in === "body" ? "INVALID_CONTEXT" : "GENERAL",
    errorDetails: `${fault.pointer}: ${fault.detail}`,
  };
}
