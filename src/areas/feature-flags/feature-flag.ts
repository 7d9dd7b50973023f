import { versionOf } from "#platform/etag.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { FeatureFlag, FlagRule, FlagType } from "#schema/feature-flags.ts";

/** A flag's definition, without its versions and times. */
export type FlagDefinition = Pick<
  FeatureFlag,
  "type" | "enabled" | "variants" | "defaultVariant" | "rules"
>;

/** A flag with the version that its ETag shows. */
export type TaggedFlag = Omit<FeatureFlag, "version"> & { version: string };

export function tagged(flag: FeatureFlag): TaggedFlag {
  return { ...flag, version: versionOf(flag) };
}

/** A definition as callers write it: optional members have defaults. */
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
 * Fills in the defaults of a draft, or returns all its faults. A boolean flag has the variants `on` and `off`
 * unless it names others, and its rules give `on`; its default variant is `on` if it is enabled without
 * rules, otherwise `off`.
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
          message: `A flag of type ${draft.type} needs \`variants\`: name each value.`,
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
        message: `It must be of the flag's type, ${draft.type}.`,
      });

  const named = (
    variant: string | undefined,
    fallback: string,
    path: readonly (string | number)[],
  ): string => {
    const name = variant ?? (isSwitch ? fallback : undefined);
    if (name === undefined)
      faults.push({ path, message: "It is missing: name one of the variants." });
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
