/** OpenFeature Remote Evaluation Protocol 0.3: https://github.com/open-feature/protocol, service/openapi.yaml. */
import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { prose } from "#platform/prose.ts";

const tag = "Settings";
const evaluate = { role: "CustomerViewer", scope: "feature_flags:read" } as const;

// Its clients follow the protocol, not this service, so additional members are allowed.
const EvaluationBody = z
  .looseObject({
    context: z
      .looseObject({
        targetingKey: z
          .string()
          .optional()
          .describe(
            prose(
              "Identifies the user or thing to evaluate for. Required if a percentage decides.",
            ),
          ),
      })
      .default({})
      .describe(
        prose(
          "The evaluation context. Operators, and members of several tenants, can set `tenantId`; for other callers it is their own tenant.",
        ),
      ),
  })
  .meta({ id: "EvaluateFeatureFlagBody" });

export type EvaluationContext = z.output<typeof EvaluationBody>["context"];

export const EvaluationView = z.object({
  key: z.string().describe(prose("The key of the flag.")),
  value: z.json().describe(prose("The flag's value in this context.")),
  reason: z
    .enum(["STATIC", "TARGETING_MATCH", "SPLIT", "DISABLED", "DEFAULT"])
    .describe(prose("The reason for the variant, as in OpenFeature.")),
  variant: z.string().describe(prose("The name of the variant.")),
  metadata: z
    .object({
      version: z.string().describe(prose("Increases with every change of the flag.")),
    })
    .describe(prose("Facts about the flag.")),
});

export const EvaluationFailureView = z.object({
  key: z.string().describe(prose("The key of the flag.")),
  errorCode: z
    .enum(["PARSE_ERROR", "TARGETING_KEY_MISSING", "INVALID_CONTEXT", "FLAG_NOT_FOUND", "GENERAL"])
    .describe(prose("The reason, as a code of the OpenFeature Remote Evaluation Protocol.")),
  errorDetails: z.string().describe(prose("The reason in words, for people.")),
});

export const BulkFailureView = EvaluationFailureView.omit({ key: true });

export type EvaluationFailure = z.input<typeof EvaluationFailureView>;

export const evaluateFeatureFlagEndpoint = endpoint({
  method: "POST",
  path: "/ofrep/v1/evaluate/flags/{key}",
  operationId: "evaluateFeatureFlag",
  tag,
  summary: prose("Evaluate a feature flag"),
  description: prose(
    "OpenFeature Remote Evaluation Protocol (OFREP): configure the OFREP provider with the base URL `…/api/v1` and an API key.",
  ),
  access: evaluate,
  params: z.object({ key: z.string().describe(prose("The key of the flag.")) }),
  body: EvaluationBody,
  exampleBody: { context: { targetingKey: "user-42" } },
  safe: true,
  answer: {
    status: 200,
    description: prose("The value, its variant and the reason for it."),
    schema: EvaluationView,
  },
  failures: {
    400: {
      description: "The flag cannot be evaluated; `errorCode` says why.",
      schema: EvaluationFailureView,
    },
    404: { description: "There is no flag with this key.", schema: EvaluationFailureView },
    500: { description: "The service failed.", schema: EvaluationFailureView },
  },
});

export const evaluateFeatureFlagsEndpoint = endpoint({
  method: "POST",
  path: "/ofrep/v1/evaluate/flags",
  operationId: "evaluateFeatureFlags",
  tag,
  summary: prose("Evaluate all feature flags"),
  description: prose(
    "OpenFeature Remote Evaluation Protocol (OFREP). Send `If-None-Match` with the ETag of the previous answer to get 304 if nothing changed.",
  ),
  access: evaluate,
  body: EvaluationBody,
  exampleBody: { context: { targetingKey: "user-42" } },
  safe: true,
  answer: {
    status: 200,
    description: prose(
      "All flags, ordered by key. A flag that cannot be evaluated has an `errorCode` instead of a value.",
    ),
    schema: z.object({
      flags: z
        .array(z.union([EvaluationView, EvaluationFailureView]))
        .describe(prose("The result of each flag: a value or a failure.")),
    }),
  },
  etag: true,
  failures: {
    400: {
      description: "The flags cannot be evaluated; `errorCode` says why.",
      schema: BulkFailureView,
    },
    500: { description: "The service failed.", schema: BulkFailureView },
  },
});
