import type * as z from "zod";
import type { Call } from "#platform/call.ts";
import { ApiError, type RequestFault } from "#platform/errors.ts";
import { timestamp } from "#platform/http/schemas.ts";
import type { JsonMap } from "#platform/json.ts";
import { CreateTriggerBody, type ScheduleCondition, type VersionCondition } from "./contract.ts";
import { nextScheduledMs, scheduleProblem } from "./cron-schedule.ts";
import type { Instance, Trigger, TriggerKind } from "./tables.ts";

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
  if (data.kind === "schedule") {
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

/**
 * When a trigger that was made or changed now is taken up. A `template_version` has no time of its own: it is
 * looked at once, as a version that it follows may be there already, and then whenever one is added.
 */
export function firstFireMs(
  trigger: Pick<Trigger, "kind" | "enabled" | "condition">,
  nowMs: number,
): number | null {
  if (!trigger.enabled) return null;
  return trigger.kind === "schedule" ? nextTimeMs(trigger.condition, nowMs) : nowMs;
}

/** The next time of a `schedule`'s condition. */
export function nextTimeMs(condition: JsonMap, nowMs: number): number | null {
  return nextScheduledMs(condition as z.output<typeof ScheduleCondition>, nowMs);
}

/** The versions that a `template_version` condition follows. */
export function followedVersions(condition: JsonMap): { from: number; to: number } {
  const { from, to } = condition as z.output<typeof VersionCondition>;
  return { from: from ?? 1, to: to ?? Number.MAX_SAFE_INTEGER };
}

/** The trigger that an instance's `expiresAt` stands for; undefined when it has none. */
export function expiryTrigger(call: Call, instance: Instance): Trigger | undefined {
  const { expiresAtMs } = instance;
  if (expiresAtMs === null) return undefined;
  return {
    id: call.newId(),
    tenantId: instance.tenantId,
    instanceId: instance.id,
    kind: "expiry",
    enabled: true,
    condition: { at: timestamp(expiresAtMs) },
    templateId: null,
    pendingVersion: null,
    lastFiredAtMs: null,
    lastDeploymentId: null,
    nextFireAtMs: expiresAtMs,
    suppressedReason: null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
}
