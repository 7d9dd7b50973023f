import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { CreatedAt, FreeMap, Id, oneLine, UpdatedAt } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { completeFlag } from "./feature-flag.ts";

const tag = "Settings";
const read = { role: "operator", scope: "feature_flags:read" } as const;
const write = { role: "operator", scope: "feature_flags:write" } as const;

/**
 * Keys are used in paths, by clients that do not escape them: only characters that are safe in a path are
 * allowed.
 */
const FlagKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9._:~-]{0,127}$/,
    "It must have 1 to 128 of the characters A-Z a-z 0-9 _ . : ~ - and must not start with one of the last four.",
  );

const VariantName = oneLine(1, 64);
const FlagTypeField = z
  .enum(["boolean", "string", "number", "object"])
  .describe(prose("The type of the flag's values."));

const ruleFields = {
  tenantIds: z
    .array(z.uuid().toLowerCase())
    .max(1000)
    .optional()
    .describe(
      prose("The tenants that the rule applies to. Default: all tenants. An empty list: none."),
    ),
  percentage: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe(
      prose(
        "The percentage of targeting keys that get the variant, chosen by a hash of flag and targeting key. Default: 100.",
      ),
    ),
};

const FlagRuleView = z.object({
  ...ruleFields,
  variant: VariantName.describe(prose("The name of the variant that the rule gives.")),
});

const PutFeatureFlagBody = z
  .object({
    type: FlagTypeField,
    enabled: z
      .boolean()
      .default(false)
      .describe(prose("False: everyone gets the default variant, and rules are ignored.")),
    variants: FreeMap.refine((variants) => Object.keys(variants).length <= 100, {
      message: "A flag has at most 100 variants.",
      abort: true,
    })
      .refine(
        (variants) => Object.keys(variants).every((name) => VariantName.safeParse(name).success),
        {
          message: "A variant's name has 1 to 64 characters.",
        },
      )
      .optional()
      .describe(
        prose(
          "The values by name, each of the flag's type. Default for a boolean flag: `on` (true) and `off` (false); otherwise required.",
        ),
      ),
    defaultVariant: VariantName.optional().describe(
      prose(
        "The variant for everyone whom no rule matches. Default for a boolean flag: `on` if it is enabled and has no rules, otherwise `off`. Required for other types.",
      ),
    ),
    rules: z
      .array(
        z.object({
          ...ruleFields,
          variant: VariantName.optional().describe(
            prose(
              "The variant that the rule gives. Default for a boolean flag: `on`; otherwise required.",
            ),
          ),
        }),
      )
      .max(100)
      .default([])
      .describe(
        prose(
          "Evaluated in order. The rules that apply to a tenant share 100 percent: with rules of 10 and 20 percent, the first 10 percent of the targeting keys get the first rule's variant, the next 20 percent the second's, and the rest the default variant.",
        ),
      ),
  })
  .transform((draft, context) => {
    const completed = completeFlag(draft);
    if ("definition" in completed) return completed.definition;
    for (const { path, message } of completed.faults)
      context.addIssue({ code: "custom", path: [...path], message });
    return z.NEVER;
  });

export const FeatureFlagView = z.object({
  id: Id,
  key: z.string().describe(prose("The key of the flag.")),
  type: FlagTypeField,
  enabled: z.boolean().describe(prose("False: every evaluation gives the default variant.")),
  variants: FreeMap.describe(prose("The values, by the name of the variant.")),
  defaultVariant: z.string().describe(prose("The name of the variant where no rule applies.")),
  rules: z.array(FlagRuleView).describe(prose("The rules, in the order of their evaluation.")),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
});

const KeyParams = z.object({
  key: z.string().min(1).max(200).describe(prose("The key of the flag.")),
});

export const listFeatureFlagsEndpoint = endpoint({
  method: "GET",
  path: "/feature-flags",
  operationId: "listFeatureFlags",
  tag,
  summary: prose("List feature flags"),
  access: read,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of feature flags, newest first."),
    schema: pageOf(FeatureFlagView),
  },
  problems: ["invalid_cursor"],
});

export const getFeatureFlagEndpoint = endpoint({
  method: "GET",
  path: "/feature-flags/{key}",
  operationId: "getFeatureFlag",
  tag,
  summary: prose("Read a feature flag"),
  access: read,
  params: KeyParams,
  answer: { status: 200, description: prose("The flag."), schema: FeatureFlagView },
  etag: true,
});

export const putFeatureFlagEndpoint = endpoint({
  method: "PUT",
  path: "/feature-flags/{key}",
  operationId: "putFeatureFlag",
  tag,
  summary: prose("Write a feature flag"),
  description: prose(
    "Creates the flag or replaces its whole definition. A body equal to the current definition changes nothing.",
  ),
  access: write,
  params: z.object({ key: FlagKey.describe(prose("The key of the flag.")) }),
  body: PutFeatureFlagBody,
  exampleBody: {
    type: "boolean",
    enabled: true,
    rules: [{ percentage: 10, variant: "on" }],
  },
  answer: { status: 200, description: prose("The flag."), schema: FeatureFlagView },
  etag: true,
  problems: ["conflict", "precondition_failed", "quota_exceeded"],
});

export const deleteFeatureFlagEndpoint = endpoint({
  method: "DELETE",
  path: "/feature-flags/{key}",
  operationId: "deleteFeatureFlag",
  tag,
  summary: prose("Delete a feature flag"),
  description: prose("Programs that evaluate it then fall back to their own default."),
  access: write,
  params: KeyParams,
  answer: { status: 204, description: prose("The flag is deleted.") },
  problems: ["conflict", "precondition_failed"],
});
