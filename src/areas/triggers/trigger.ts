import { templateWriter } from "#areas/templates/public.ts";
import { faultsOf, unknownParameter } from "#http/faults.ts";
import { unknownMembers } from "#http/unknown-members.ts";
import { type Actor, requireFor } from "#kernel/access/access.ts";
import { ApiError, type RequestFault } from "#kernel/errors.ts";
import type { JsonMap } from "#platform/json.ts";
import type { Template } from "#schema/templates.ts";
import type { Trigger, TriggerKind } from "#schema/triggers.ts";
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

/**
 * Throws unless the caller may set up a trigger with this condition. One that takes releases of components adds
 * versions of the template, which takes the rights of that endpoint.
 */
export function requireMayFollow(
  actor: Actor,
  { tenantId, condition }: Pick<Trigger, "tenantId" | "condition">,
  template: Pick<Template, "tenantId"> | undefined,
): void {
  if (condition["components"] !== true) return;
  requireFor("A trigger that takes releases of components", templateWriter, {
    actor,
    tenantId,
  });
  if (template?.tenantId !== tenantId)
    throw invalid([
      {
        in: "body",
        pointer: "/condition/components",
        code: "invalid_value",
        detail:
          "The instance's template is a platform template, and a trigger adds no versions of it. Use a template of the instance's tenant.",
      },
    ]);
}

function invalid(faults: RequestFault[]): ApiError {
  return new ApiError("validation_failed", "The condition is not valid; `errors` says where.", {
    faults,
  });
}
