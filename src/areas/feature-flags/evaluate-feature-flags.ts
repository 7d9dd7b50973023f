import type * as z from "zod";
import { soleTenant } from "#kernel/access/access.ts";
import type { Call } from "#kernel/call/call.ts";
import type { FeatureFlag } from "#schema/feature-flags.ts";
import { evaluateFlag, type FlagSubject } from "./evaluate-flag.ts";
import type { EvaluationContext, EvaluationFailure, EvaluationView } from "./ofrep-contract.ts";
import { allFeatureFlags, findFeatureFlag } from "./store.ts";

export type Evaluated = z.input<typeof EvaluationView> | EvaluationFailure;

/** The value of one flag for the context, or the reason for a failure. */
export async function evaluateFeatureFlag(
  call: Call,
  key: string,
  context: EvaluationContext,
): Promise<Evaluated> {
  const [[flag]] = await call.read(findFeatureFlag(call, key));
  if (flag !== undefined) return evaluated(flag, subjectOf(call, context));
  return {
    key,
    errorCode: "FLAG_NOT_FOUND",
    errorDetails: "There is no feature flag with this key.",
  };
}

/** The values of all flags for the context, by key. */
export async function evaluateFeatureFlags(
  call: Call,
  context: EvaluationContext,
): Promise<Evaluated[]> {
  const [flags] = await call.read(allFeatureFlags(call));
  const subject = subjectOf(call, context);
  return Promise.all(flags.map((flag) => evaluated(flag, subject)));
}

async function evaluated(flag: FeatureFlag, subject: FlagSubject): Promise<Evaluated> {
  const { key } = flag;
  const result = await evaluateFlag(flag, subject);
  if ("error" in result)
    return {
      key,
      errorCode: result.error,
      errorDetails: "A percentage decides this flag: set `targetingKey` in the context.",
    };
  return { key, ...result, metadata: { version: String(flag.version) } };
}

/**
 * The tenant to evaluate for: the caller's own, even if the context names another. Members of several tenants name one
 * of them, operators any.
 */
function subjectOf(call: Call, context: EvaluationContext): FlagSubject {
  const named = context["tenantId"];
  const asked = typeof named === "string" ? named.toLowerCase() : undefined;
  const { actor } = call;
  return {
    tenantId: soleTenant(actor) ?? (asked !== undefined && call.isOf(asked) ? asked : undefined),
    targetingKey: context.targetingKey,
  };
}
