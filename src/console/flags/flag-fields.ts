import type * as z from "zod";
import type { FeatureFlagView } from "#areas/feature-flags/contract.ts";
import type { Field } from "#console/act-form.tsx";

export type Flag = z.output<typeof FeatureFlagView>;

const types = ["boolean", "string", "number", "object"] as const;

/** The fields for the whole definition of a flag, because a write replaces all of it. */
export function flagFields(now?: Flag): Field[] {
  return [
    {
      name: "type",
      words: "Type",
      kind: "choice",
      choices: types.map((value) => ({ value, words: value })),
      value: now?.type ?? "boolean",
    },
    {
      name: "enabled",
      words: "Enabled: the rules count. Otherwise everybody gets the default variant.",
      kind: "flag",
      value: now?.enabled ?? false,
    },
    {
      name: "variants",
      words: "Variants",
      hint: 'JSON: the values by name, such as { "blue": "#00f" }. Empty for a boolean flag: on and off.',
      kind: "json",
      value: now === undefined ? "" : JSON.stringify(now.variants, null, 2),
    },
    {
      name: "defaultVariant",
      words: "Default variant",
      hint: "For whomever no rule is about.",
      value: now?.defaultVariant ?? "",
      maxLength: 64,
    },
    {
      name: "rules",
      words: "Rules",
      hint: 'JSON, in order: [{ "tenantIds": ["…"], "percentage": 10, "variant": "on" }]. Without tenants a rule is for all of them.',
      kind: "json",
      value: now === undefined || now.rules.length === 0 ? "" : JSON.stringify(now.rules, null, 2),
    },
  ];
}
