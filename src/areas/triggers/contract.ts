import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { FreeMap, IdParams, PathId, Timestamp } from "#http/schemas.ts";

const tag = "Instances";

export const ScheduleCondition = z.object({
  cron: z
    .string()
    .min(9)
    .max(200)
    .describe(
      "Five fields: minute, hour, day of month, month, day of week. A day matches either of the last two when both are given.",
    ),
  timeZone: z.string().min(1).max(100).default("UTC").describe("IANA name: `Europe/Berlin`."),
});

const versionNumber = z.int().min(1).max(999_999_999);

export const VersionCondition = z
  .object({ from: versionNumber.optional(), to: versionNumber.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    error: "Must not be less than `from`.",
  })
  .describe("Which versions to follow, both ends included. Empty: every new one.");

export const UpstreamCondition = z
  .object({
    instanceId: z.string().min(1).max(200).optional().describe("Only what is read of this one."),
    outputs: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(50)
      .optional()
      .describe("Only these outputs."),
  })
  .describe("Which of the instance's bindings to follow. Empty: all of them.");

export const DriftCondition = ScheduleCondition.extend({
  remediate: z
    .boolean()
    .default(false)
    .describe("Deploys after a check that found drift, once for each check."),
}).describe("When to check for drift.");

export const HookCondition = z
  .object({
    signature: z
      .enum(["standard", "github"])
      .optional()
      .describe(
        "How its calls have to be signed: as Standard Webhooks says, or with `X-Hub-Signature-256`. Default: not at all, the URL is secret.",
      ),
  })
  .describe("Cannot be changed afterwards.");

const enabled = z.boolean().default(true);

export const CreateTriggerBody = z.discriminatedUnion(
  "kind",
  [
    z.object({
      kind: z.literal("schedule").describe("Deploys at these times."),
      condition: ScheduleCondition,
      enabled,
    }),
    z.object({
      kind: z
        .literal("template_version")
        .describe("Moves the instance to a new version of its template, and deploys."),
      condition: VersionCondition.default({}),
      enabled,
    }),
    z.object({
      kind: z
        .literal("upstream_output")
        .describe(
          "Deploys when an output that the instance's bindings read has another value than the last deployment used.",
        ),
      condition: UpstreamCondition.default({}),
      enabled,
    }),
    z.object({
      kind: z.literal("drift").describe("Checks for drift at these times."),
      condition: DriftCondition,
      enabled,
    }),
    z.object({
      kind: z.literal("inbound_webhook").describe("Deploys when its secret URL is called."),
      condition: HookCondition.default({}),
      enabled,
    }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union"
        ? "Must be schedule, template_version, upstream_output, drift or inbound_webhook. An expiry is made with the instance's `expiresAt`."
        : undefined,
  },
);

export const UpdateTriggerBody = z.object({
  condition: FreeMap.optional().describe("The whole condition, as the trigger's kind has it."),
  enabled: z.boolean().optional(),
});

export const TriggerView = z.object({
  id: z.uuid(),
  instanceId: z.uuid(),
  kind: z.enum([
    "schedule",
    "template_version",
    "upstream_output",
    "drift",
    "inbound_webhook",
    "expiry",
  ]),
  enabled: z.boolean(),
  condition: FreeMap.describe(
    "schedule: cron, timeZone. template_version: from, to. upstream_output: instanceId, outputs. drift: cron, timeZone, remediate. inbound_webhook: signature. expiry: at.",
  ),
  lastFiredAt: Timestamp.nullable(),
  lastDeploymentId: z.uuid().nullable(),
  nextFireAt: Timestamp.nullable().describe("Null: no time is known."),
  suppressedReason: z
    .string()
    .nullable()
    .describe(
      "Why it did not fire when it was due the last time; null: it did, or never was due. `instance_busy`, `approval` (a plan waits for it), `instance_destroyed`, `destroy_failed`, `not_deployed_yet`, `unchanged`, `nothing_bound`, `output_missing`, `upstream_failed`, `upstream_destroyed`, `too_many_hops`, or the code of the problem that a deploy answered: `invalid_state`, `resource_protected`, `quota_exceeded`, `license_limit`.",
    ),
});

export const ShownTriggerView = TriggerView.extend({
  url: z
    .string()
    .optional()
    .describe(
      "inbound_webhook: the path to call, below the service's own origin. Shown this once: whoever has it can deploy.",
    ),
  signingKey: z
    .string()
    .optional()
    .describe("inbound_webhook with a `signature`: what to sign calls with. Shown this once."),
});

const TriggerParams = IdParams.extend({ triggerId: PathId });
const triggerWriter = { role: "CustomerDeveloper", scope: "instances:write" } as const;

export const listTriggersEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/triggers",
  operationId: "listInstanceTriggers",
  tag,
  summary: "List an instance's triggers",
  description: "What starts deployments of it by itself. Its `expiresAt` is one of them.",
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: IdParams,
  query: z.object(pageQuery),
  answer: { status: 200, description: "Newest first.", schema: pageOf(TriggerView) },
  problems: ["invalid_cursor"],
});

export const getTriggerEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/triggers/{triggerId}",
  operationId: "getInstanceTrigger",
  tag,
  summary: "Read a trigger",
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: TriggerParams,
  answer: { status: 200, description: "The trigger.", schema: TriggerView },
  etag: true,
});

export const createTriggerEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/triggers",
  operationId: "createInstanceTrigger",
  tag,
  summary: "Add a trigger to an instance",
  description:
    "Due triggers fire within about a minute. What is due while a deployment of the instance is open does not pile up: `suppressedReason` says so, or the new deployment takes the place of one that a trigger asked for and that has not begun.",
  access: triggerWriter,
  params: IdParams,
  body: CreateTriggerBody,
  exampleBody: {
    kind: "schedule",
    condition: { cron: "0 3 * * 1", timeZone: "Europe/Berlin" },
  },
  answer: { status: 201, description: "The trigger.", schema: ShownTriggerView },
  location: "/instances/{instanceId}/triggers/{id}",
  etag: true,
  secretAnswer: true,
  problems: ["quota_exceeded", "conflict"],
});

export const updateTriggerEndpoint = endpoint({
  method: "PATCH",
  path: "/instances/{id}/triggers/{triggerId}",
  operationId: "updateInstanceTrigger",
  tag,
  summary: "Change a trigger",
  description: "An expiry is changed with the instance's `expiresAt`.",
  access: triggerWriter,
  params: TriggerParams,
  body: UpdateTriggerBody,
  bodyOptional: true,
  answer: { status: 200, description: "The trigger.", schema: TriggerView },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const deleteTriggerEndpoint = endpoint({
  method: "DELETE",
  path: "/instances/{id}/triggers/{triggerId}",
  operationId: "deleteInstanceTrigger",
  tag,
  summary: "Remove a trigger",
  description: "An expiry is taken away with the instance's `expiresAt`.",
  access: triggerWriter,
  params: TriggerParams,
  answer: { status: 204, description: "It is gone." },
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const rotateTriggerEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/triggers/{triggerId}/rotate",
  operationId: "rotateInstanceTrigger",
  tag,
  summary: "Give an inbound trigger a new URL",
  description: "And a new signing key, if its calls are signed. The old ones end at once.",
  access: triggerWriter,
  params: TriggerParams,
  answer: { status: 200, description: "The trigger.", schema: ShownTriggerView },
  etag: true,
  secretAnswer: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const receiveHookEndpoint = endpoint({
  method: "POST",
  path: "/hooks/{token}",
  operationId: "receiveHook",
  tag,
  summary: "Call an inbound trigger",
  description:
    "For whoever has the URL; no other credential is asked for. A body of any type is taken and, but for its signature, ignored. Calls in a row start one deployment; one that is repeated under the same `Idempotency-Key`, `webhook-id` or `X-GitHub-Delivery` starts none. What became of a call is told by the trigger.",
  access: "public",
  params: z.object({ token: PathId }),
  answer: {
    status: 202,
    description: "Heard.",
    schema: z.object({ accepted: z.literal(true) }),
  },
  problems: ["unauthenticated", "payload_too_large", "rate_limited", "conflict"],
});
