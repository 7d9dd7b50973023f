import type { Call } from "#platform/call.ts";
import { ApiError, type RequestFault } from "#platform/errors.ts";
import { timestamp } from "#platform/http/schemas.ts";
import type { JsonMap } from "#platform/json.ts";
import { CreateTriggerBody } from "./trigger-contract.ts";
import { scheduleProblem } from "./cron-schedule.ts";
import type { Instance, Trigger, TriggerKind } from "./tables.ts";
import { firstFireMs } from "./trigger-kinds.ts";

/** A condition as it is stored: of its kind's shape. Throws `validation_failed`, pointing below `/condition`. */
export function checkedCondition(kind: TriggerKind, condition: JsonMap, nowMs: number): JsonMap {
  const parsed = CreateTriggerBody.safeParse({ kind, condition });
  if (!parsed.success)
    throw invalid(
      parsed.error.issues.slice(0, 100).map(({ path, code, message }) => ({
        in: "body",
        pointer: path.map((part) => `/${String(part)}`).join(""),
        code,
        detail: message,
      })),
    );
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

/** The trigger that an instance's `expiresAt` stands for; undefined when it has none. */
export function expiryTrigger(call: Call, instance: Instance): Trigger | undefined {
  const { expiresAtMs } = instance;
  if (expiresAtMs === null) return undefined;
  return newTrigger(call, instance, {
    kind: "expiry",
    enabled: true,
    condition: { at: timestamp(expiresAtMs) },
  });
}

/** A trigger as it begins. */
export function newTrigger(
  call: Call,
  instance: Pick<Instance, "id" | "tenantId" | "templateId">,
  { kind, enabled, condition }: Pick<Trigger, "kind" | "enabled" | "condition">,
): Trigger {
  return {
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId: instance.id,
    kind,
    enabled,
    condition,
    templateId: kind === "template_version" ? instance.templateId : null,
    pendingVersion: null,
    hops: null,
    tokenDigest: null,
    signingSecret: null,
    lastFiredAtMs: null,
    lastDeploymentId: null,
    nextFireAtMs: firstFireMs({ kind, enabled, condition }, call.now),
    suppressedReason: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
}
