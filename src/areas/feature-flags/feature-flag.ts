import { versionOf } from "#platform/etag.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { FeatureFlag, FlagRule, FlagType } from "#schema/feature-flags.ts";

/** What a flag says, without its history. */
export type FlagDefinition = Pick<
  FeatureFlag,
  "type" | "enabled" | "variants" | "defaultVariant" | "rules"
>;

/** A flag as it is answered: the version is what the ETag shows. */
export type TaggedFlag = Omit<FeatureFlag, "version"> & { version: string };

/** The flag with the version that its ETag shows. */
export function tagged(flag: FeatureFlag): TaggedFlag {
  return { ...flag, version: versionOf(flag) };
}

/** A definition as it is written: what is left out has a default where there is an obvious one. */
export interface FlagDraft {
  type: FlagType;
  enabled: boolean;
  variants?: { readonly [name: string]: Json } | undefined;
  defaultVariant?: string | undefined;
  rules: readonly (Omit<FlagRule, "variant"> & { variant?: string | undefined })[];
}

export interface FlagFault {
  path: readonly (string | number)[];
  message: string;
}

const switchVariants = { on: true, off: false } as const;

/**
 * The definition a draft stands for, or everything that is wrong with it. A boolean flag has the variants `on` and
 * `off` unless it names others; its rules give `on`; without rules an enabled one is on, any other is off by default.
 */
export function completeFlag(
  draft: FlagDraft,
): { definition: FlagDefinition } | { faults: readonly FlagFault[] } {
  const isSwitch = draft.type === "boolean";
  const variants = draft.variants ?? (isSwitch ? switchVariants : undefined);
  if (variants === undefined)
    return {
      faults: [
        {
          path: ["variants"],
          message: `A flag of type ${draft.type} needs its variants: name each.`,
        },
      ],
    };
  const faults: FlagFault[] = [];
  if (Object.keys(variants).length === 0)
    faults.push({ path: ["variants"], message: "A flag needs at least one variant." });
  for (const [name, value] of Object.entries(variants))
    if (!fits(draft.type, value))
      faults.push({
        path: ["variants", name],
        message: `Must be a ${draft.type}, as the flag is.`,
      });

  const named = (
    variant: string | undefined,
    fallback: string,
    path: readonly (string | number)[],
  ): string => {
    const name = variant ?? (isSwitch ? fallback : undefined);
    if (name === undefined) faults.push({ path, message: "Name one of the variants." });
    else if (!Object.hasOwn(variants, name))
      faults.push({ path, message: `"${name}" is not one of the variants.` });
    return name ?? "";
  };
  const rules = draft.rules.map((rule, at): FlagRule => ({
    ...rule,
    variant: named(rule.variant, "on", ["rules", at, "variant"]),
  }));
  const plainlyOn = draft.enabled && rules.length === 0;
  const defaultVariant = named(draft.defaultVariant, plainlyOn ? "on" : "off", ["defaultVariant"]);
  if (faults.length > 0) return { faults };
  return {
    definition: { type: draft.type, enabled: draft.enabled, variants, defaultVariant, rules },
  };
}

function fits(type: FlagType, value: Json): boolean {
  return type === "object" ? isJsonMap(value) : typeof value === type;
}
