import { digestHex } from "#platform/crypto/digest.ts";
import type { Json } from "#platform/json.ts";
import type { FlagRule } from "#schema/feature-flags.ts";
import type { FlagDefinition } from "./feature-flag.ts";

/** Whom a flag is evaluated for. */
export interface FlagSubject {
  /** Undefined: of no tenant. Rules that name tenants are not about it. */
  tenantId?: string | undefined;
  /** Undefined or empty: unknown. Rules with a percentage cannot place it. */
  targetingKey?: string | undefined;
}

/** OpenFeature's resolution reasons (https://openfeature.dev/specification/types/#resolution-reason). */
type FlagReason = "STATIC" | "TARGETING_MATCH" | "SPLIT" | "DISABLED" | "DEFAULT";

export type FlagEvaluation =
  | { value: Json; variant: string; reason: FlagReason }
  | { error: "TARGETING_KEY_MISSING" };

/**
 * The variant of a flag for a subject. A disabled flag gives its default. The rules that are about the subject's
 * tenant share one line from 0 to 100: each takes its percentage of it, in order, a rule without one takes what is
 * left, and what nobody takes is the default's. A targeting key has one place on the line of a flag, always the same:
 * raising the percentage of the last rule moves nobody who was in already. `SPLIT` says that the place decided,
 * whichever side it was on.
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

/** Where a targeting key stands for a flag: from 0 up to, not including, 100, evenly spread. Never change it. */
export async function placeOf(flagKey: string, targetingKey: string): Promise<number> {
  const digest = await digestHex(`${flagKey}\n${targetingKey}`);
  return (Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32) * 100;
}
