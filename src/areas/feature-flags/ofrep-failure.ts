import { ApiError } from "#kernel/errors.ts";
import type { EvaluationFailure } from "./ofrep-contract.ts";

/**
 * A failure in the protocol's shape, for the statuses that the protocol defines a body for; undefined for others, which
 * stay problems. `error`: the thrown error; `status`: the status of the answer.
 */
export function ofrepFailure(
  error: unknown,
  status: number,
): Omit<EvaluationFailure, "key"> | undefined {
  if (status === 500)
    return {
      errorCode: "GENERAL",
      errorDetails: "The service failed; the request is not the cause.",
    };
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
