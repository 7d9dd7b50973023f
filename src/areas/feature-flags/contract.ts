import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, Timestamp } from "#http/schemas.ts";
import { completeFlag } from "./feature-flag.ts";

const tag = "Settings";
const read = { role: "operator", scope: "feature_flags:read" } as const;
const write = { role: "operator", scope: "feature_flags:write" } as const;

/** It stands in paths, in clients that do not escape it: what a path would change is not in it. */
const FlagKey = z
  .string()
  .regex(
    /^[A-Za-z0-9_][A-Za-z0-9._:~-]{0,127}$/,
    "1 to 128 of A-Z, a-z, 0-9 and _ . : ~ -, not starting with one of the last four.",
  );

const VariantName = z.string().min(1).max(64);
const FlagTypeField = z.enum(["boolean", "string", "number", "object"]);

const ruleFields = {
  tenantIds: z
    .array(z.uuid().toLowerCase())
    .max(1000)
    .optional()
    .describe("The tenants the rule is about. Default: every one; an empty list: none."),
  percentage: z
    .number()
    .min(0)
    .max(100)
    .optional()
    .describe("How many of them, by the hash of flag and targeting key. Default: all."),
};

const FlagRuleView = z.object({ ...ruleFields, variant: VariantName });

const PutFeatureFlagBody = z
  .object({
    type: FlagTypeField,
    enabled: z
      .boolean()
      .default(false)
      .describe("False: everyone gets the default variant, whatever the rules say."),
    variants: FreeMap.refine((variants) => Object.keys(variants).length <= 100, {
      message: "At most 100 variants.",
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
        "The values by name, each of the flag's type. Default for a boolean flag: `on` and `off`.",
      ),
    defaultVariant: VariantName.optional().describe(
      "Whom no rule gives another. Default for a boolean flag: `on` where it is enabled and has no rules, else `off`.",
    ),
    rules: z
      .array(
        z.object({
          ...ruleFields,
          variant: VariantName.optional().describe("Default for a boolean flag: `on`."),
        }),
      )
      .max(100)
      .default([])
      .describe(
        "The rules about a tenant share one line from 0 to 100: each takes its percentage of it, in order.",
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
  id: z.uuid(),
  key: z.string(),
  type: FlagTypeField,
  enabled: z.boolean(),
  variants: FreeMap,
  defaultVariant: z.string(),
  rules: z.array(FlagRuleView),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

const KeyParams = z.object({ key: z.string().min(1).max(200) });

export const listFeatureFlagsEndpoint = endpoint({
  method: "GET",
  path: "/feature-flags",
  operationId: "listFeatureFlags",
  tag,
  summary: "List feature flags",
  access: read,
  query: z.object(pageQuery),
  answer: { status: 200, description: "Newest first.", schema: pageOf(FeatureFlagView) },
  problems: ["invalid_cursor"],
});

export const getFeatureFlagEndpoint = endpoint({
  method: "GET",
  path: "/feature-flags/{key}",
  operationId: "getFeatureFlag",
  tag,
  summary: "Read a feature flag",
  access: read,
  params: KeyParams,
  answer: { status: 200, description: "The flag.", schema: FeatureFlagView },
  etag: true,
});

export const putFeatureFlagEndpoint = endpoint({
  method: "PUT",
  path: "/feature-flags/{key}",
  operationId: "putFeatureFlag",
  tag,
  summary: "Write a feature flag",
  description:
    "Makes the flag, or replaces all of it. A body that says what the flag says already changes nothing.",
  access: write,
  params: z.object({ key: FlagKey }),
  body: PutFeatureFlagBody,
  exampleBody: {
    type: "boolean",
    enabled: true,
    rules: [{ percentage: 10, variant: "on" }],
  },
  answer: { status: 200, description: "The flag.", schema: FeatureFlagView },
  etag: true,
  problems: ["conflict", "precondition_failed", "quota_exceeded"],
});

export const deleteFeatureFlagEndpoint = endpoint({
  method: "DELETE",
  path: "/feature-flags/{key}",
  operationId: "deleteFeatureFlag",
  tag,
  summary: "Delete a feature flag",
  description: "From then on programs that ask for it use their own default.",
  access: write,
  params: KeyParams,
  answer: { status: 204, description: "The flag is deleted." },
  problems: ["conflict", "precondition_failed"],
});
