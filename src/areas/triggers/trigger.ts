import { faultsOf, unknownParameter } from "#http/faults.ts";
import { unknownMembers } from "#http/unknown-members.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import type { TriggerKind } from "#schema/triggers.ts";
import { CreateTriggerBody } from "./contract.ts";
import { scheduleProblem } from "./cron-schedule.ts";

/**
 * Validates a condition for its kind and returns the stored form. Throws `validation_failed` with pointers
 * below `/condition`.
 */
export function checkedCondition(kind: TriggerKind, condition: JsonMap, nowMs: number): JsonMap {
  const given = { kind, condition };
  const [unknown, ...others] = unknownMembers(CreateTriggerBody, given);
  if (unknown !== undefined) throw unknownParameter([unknown, ...others], "body");
  const parsed = CreateTriggerBody.safeParse(given);
  if (!parsed.success) throw invalid(faultsOf(parsed.error.issues, "body", given));
  const { data } = parsed;
  if (data.kind === "schedule" || data.kind === "drift") {
    const problem = scheduleProblem(data.condition, nowMs);
    if (problem !== undefined)
      throw invalid([
        {
          in: "body",
          pointer: `/condition/${problem.at}`,
          code: "invalid_value",
          detail: problem.detail,
        },
      ]);
  }
  return data.condition as JsonMap;
}

function invalid(faults: RequestFault[]): ApiError {
  return new ApiError("validation_failed", "The condition is not valid; `errors` says where.", {
    faults,
  });
}
