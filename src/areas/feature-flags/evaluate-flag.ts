import { digestHex } from "#platform/crypto/digest.ts";
import type { Json } from "#platform/json.ts";
import type { FlagRule } from "#schema/feature-flags.ts";
import type { FlagDefinition } from "./feature-flag.ts";

/** The subject of an evaluation. */
export interface FlagSubject {
  /** Undefined: no tenant; rules with `tenantIds` do not apply. */
  tenantId?: string | undefined;
  /** Undefined or empty: unknown; rules with a percentage cannot be evaluated. */
  targetingKey?: string | undefined;
}

/** OpenFeature's resolution reasons (https://openfeature.dev/specification/types/#resolution-reason). */
type FlagReason = "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DISABLED" | "DEFAULT";

export type FlagEvaluation =
  | { value: Json; variant: string; reason: FlagReason }
  | { error: "TARGETING_KEY_MISSING" };

/**
 * The variant of a flag for a subject. A disabled flag gives its default variant. The rules that apply to the subject's
 * tenant divide the range 0 to 100 in order: each takes its percentage, a rule without one takes the rest, and the
 * remaining range gets the default variant. A targeting key always has the same place in a flag's range, so a higher
 * percentage of the last rule only adds subjects. The reason is `SPLIT` whenever the place decides.
 */
export async function evaluateFlag(
  flag: FlagDefinition & { key: string },
  subject: FlagSubject,
): Promise<FlagEvaluation> {
  const give = (variant: string, reason: FlagReason): FlagEvaluation => ({
    value: Object.hasOwn(flag.variants, variant) ? (flag.variants[variant] ?? null) : null,
    variant,
    reason,
  });
  if (!flag.enabled) return give(flag.defaultVariant, "DISABLED");
  if (flag.rules.length === 0) return give(flag.defaultVariant, "STATIC");
  let taken = 0;
  let place: number | undefined;
  for (const rule of flag.rules) {
    if (!isAbout(rule, subject.tenantId)) continue;
    const upTo = taken + (rule.percentage ?? 100);
    if (upTo >= 100) return give(rule.variant, place === undefined ? "TARGETING_MATCH" : "SPLIT");
    if (upTo === taken) continue;
    if (subject.targetingKey === undefined || subject.targetingKey === "")
      return { error: "TARGETING_KEY_MISSING" };
    place ??= await placeOf(flag.key, subject.targetingKey);
    if (place < upTo) return give(rule.variant, "SPLIT");
    taken = upTo;
  }
  return give(flag.defaultVariant, place === undefined ? "DEFAULT" : "SPLIT");
}

function isAbout({ tenantIds }: FlagRule, tenantId: string | undefined): boolean {
  return tenantIds === undefined || (tenantId !== undefined && tenantIds.includes(tenantId));
}

/**
 * The place of a targeting key in a flag's range: 0 ≤ place < 100, evenly distributed. Never change this
 * function: subjects would change variants.
 */
export async function placeOf(flagKey: string, targetingKey: string): Promise<number> {
  const digest = await digestHex(`${flagKey}\n${targetingKey}`);
  return (Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 100;
}
