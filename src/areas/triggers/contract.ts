import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { FreeMap, Id, PathId, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const tag = "Instances";

export const ScheduleCondition = z.object({
  cron: z
    .string()
    .min(9)
    .max(200)
    .describe(
      prose(
        "Five fields: minute, hour, day of month, month, day of week. If both day fields are given, a day that matches either of them counts.",
      ),
    ),
  timeZone: z
    .string()
    .min(1)
    .max(100)
    .default("UTC")
    .describe(prose("An IANA time zone, for example `Europe/Berlin`.")),
});

const versionNumber = z.int().min(1).max(999_999_999).optional();

export const VersionCondition = z
  .object({
    from: versionNumber.describe(prose("The first version to follow. Default: version 1.")),
    to: versionNumber.describe(prose("The last version to follow. Default: no end.")),
    components: z
      .boolean()
      .default(false)
      .describe(
        prose(
          "True: when a component of the template gets a higher release in its range, a version of the template that takes it is added, and followed. Only for a template of the instance's own tenant; takes the scope `templates:write`.",
        ),
      ),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ["to"],
    error: "It must not be less than `from`.",
  })
  .describe(prose("The versions to follow, `from` and `to` included. Empty: every new version."));

export const UpstreamCondition = z
  .object({
    instanceId: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe(prose("Follow only bindings to this instance.")),
    outputs: z
      .array(z.string().min(1).max(200))
      .min(1)
      .max(50)
      .optional()
      .describe(prose("Follow only bindings to outputs of these names.")),
  })
  .describe(prose("The bindings of the instance to follow. Empty: all bindings."));

export const DriftCondition = ScheduleCondition.extend({
  remediate: z
    .boolean()
    .default(false)
    .describe(prose("True: deploys after each check that found drift.")),
}).describe(prose("When to check for drift."));

export const HookCondition = z
  .object({
    signature: z
      .enum(["standard", "github"])
      .optional()
      .describe(
        prose(
          "How calls must be signed: `standard` as in Standard Webhooks, `github` with `X-Hub-Signature-256`. Default: unsigned; the URL itself is secret.",
        ),
      ),
  })
  .describe(prose("Cannot be changed later."));

const enabled = z.boolean().default(true).describe(prose("False: the trigger does not fire."));

export const CreateTriggerBody = z.discriminatedUnion(
  "kind",
  [
    z.object({
      kind: z.literal("schedule").describe(prose("Deploys at these times.")),
      condition: ScheduleCondition.describe(prose("The times of the deployments.")),
      enabled,
    }),
    z.object({
      kind: z
        .literal("template_version")
        .describe(prose("Sets the instance to a new version of its template and deploys.")),
      condition: VersionCondition.default({ components: false }),
      enabled,
    }),
    z.object({
      kind: z
        .literal("upstream_output")
        .describe(
          prose(
            "Deploys when an output that the instance is bound to has a different value than in the last deployment.",
          ),
        ),
      condition: UpstreamCondition.default({}),
      enabled,
    }),
    z.object({
      kind: z.literal("drift").describe(prose("Checks for drift at these times.")),
      condition: DriftCondition,
      enabled,
    }),
    z.object({
      kind: z.literal("inbound_webhook").describe(prose("Deploys when its secret URL is called.")),
      condition: HookCondition.default({}),
      enabled,
    }),
  ],
  {
    error: (issue) =>
      issue.code === "invalid_union"
        ? "It must be schedule, template_version, upstream_output, drift or inbound_webhook. To create an expiry, set the instance's `expiresAt`."
        : undefined,
  },
);

export const UpdateTriggerBody = z.object({
  condition: FreeMap.optional().describe(
    prose("Replaces the whole condition; the members depend on the trigger's kind."),
  ),
  enabled: z
    .boolean()
    .optional()
    .describe(prose("False: the trigger does not fire. Default: unchanged.")),
});

export const TriggerView = z.object({
  id: Id,
  instanceId: z.uuid().describe(prose("The instance's id.")),
  kind: z
    .enum(["schedule", "template_version", "upstream_output", "drift", "inbound_webhook", "expiry"])
    .describe(prose("The kind of the trigger.")),
  enabled: z.boolean().describe(prose("False: the trigger does not fire.")),
  condition: FreeMap.describe(
    prose(
      "The members depend on the kind. schedule: cron, timeZone. template_version: from, to, components. upstream_output: instanceId, outputs. drift: cron, timeZone, remediate. inbound_webhook: signature. expiry: at.",
    ),
  ),
  lastFiredAt: Timestamp.nullable().describe(prose("Null: it never fired.")),
  lastDeploymentId: z
    .uuid()
    .nullable()
    .describe(prose("The deployment that it started last. Null: none.")),
  nextFireAt: Timestamp.nullable().describe(
    prose("The next time the trigger is evaluated. Null: no time is known."),
  ),
  suppressedReason: z
    .string()
    .nullable()
    .describe(
      prose(
        "Why the trigger did not fire when it was last due. Null: it fired, or was never due. `instance_busy`, `approval` (a plan waits for approval), `instance_destroyed`, `destroy_failed`, `not_deployed_yet`, `unchanged`, `nothing_bound`, `output_missing`, `upstream_failed`, `upstream_destroyed`, `too_many_hops` (a chain of output changes or of webhooks into hooks is too long, probably a loop), or the error code that the deploy, or a version with a component's new release, failed with: `invalid_state`, `resource_protected`, `template_invalid`, `quota_exceeded`, `license_limit`.",
      ),
    ),
});

export const ShownTriggerView = TriggerView.extend({
  url: z
    .string()
    .optional()
    .describe(
      prose(
        "inbound_webhook only: the path to call, on the service's origin. It is shown only once. Keep it secret: everyone who has it can deploy.",
      ),
    ),
  signingKey: z
    .string()
    .optional()
    .describe(
      prose(
        "inbound_webhook with a `signature` only: the key to sign calls with. It is shown only once.",
      ),
    ),
});

const InstanceParams = z.object({ id: PathId.describe(prose("The instance's id.")) });
const TriggerParams = InstanceParams.extend({
  triggerId: PathId.describe(prose("The trigger's id.")),
});
const triggerWriter = { role: "CustomerDeveloper", scope: "instances:write" } as const;

export const listTriggersEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/triggers",
  operationId: "listInstanceTriggers",
  tag,
  summary: prose("List an instance's triggers"),
  description: prose(
    "Lists what starts deployments of the instance automatically. Its `expiresAt` is one of the triggers.",
  ),
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: InstanceParams,
  query: z.object(pageQuery),
  answer: {
    status: 200,
    description: prose("A page of triggers, newest first."),
    schema: pageOf(TriggerView),
  },
  problems: ["invalid_cursor"],
});

export const getTriggerEndpoint = endpoint({
  method: "GET",
  path: "/instances/{id}/triggers/{triggerId}",
  operationId: "getInstanceTrigger",
  tag,
  summary: prose("Read a trigger"),
  access: { role: "CustomerViewer", scope: "instances:read" },
  params: TriggerParams,
  answer: { status: 200, description: prose("The trigger."), schema: TriggerView },
  etag: true,
});

export const createTriggerEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/triggers",
  operationId: "createInstanceTrigger",
  tag,
  summary: prose("Add a trigger to an instance"),
  description: prose(
    "Due triggers fire within about a minute. Triggers that are due while a deployment of the instance is open do not pile up: either `suppressedReason` says why none was started, or the new deployment replaces a queued one that a trigger had requested.",
  ),
  access: triggerWriter,
  params: InstanceParams,
  body: CreateTriggerBody,
  exampleBody: {
    kind: "schedule",
    condition: { cron: "0 3 * * 1", timeZone: "Europe/Berlin" },
  },
  answer: { status: 201, description: prose("The trigger."), schema: ShownTriggerView },
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
  summary: prose("Change a trigger"),
  description: prose("To change an expiry, set the instance's `expiresAt`."),
  access: triggerWriter,
  params: TriggerParams,
  body: UpdateTriggerBody,
  bodyOptional: true,
  answer: { status: 200, description: prose("The trigger."), schema: TriggerView },
  etag: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const deleteTriggerEndpoint = endpoint({
  method: "DELETE",
  path: "/instances/{id}/triggers/{triggerId}",
  operationId: "deleteInstanceTrigger",
  tag,
  summary: prose("Delete a trigger"),
  description: prose("To remove an expiry, set the instance's `expiresAt` to null."),
  access: triggerWriter,
  params: TriggerParams,
  answer: { status: 204, description: prose("The trigger is deleted.") },
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const rotateTriggerEndpoint = endpoint({
  method: "POST",
  path: "/instances/{id}/triggers/{triggerId}/rotate",
  operationId: "rotateInstanceTrigger",
  shows: "/instances/{id}/triggers/{triggerId}",
  tag,
  summary: prose("Rotate the URL of an inbound trigger"),
  description: prose(
    "Also replaces the signing key, if calls are signed. The old URL and key stop working at once.",
  ),
  access: triggerWriter,
  params: TriggerParams,
  answer: { status: 200, description: prose("The trigger."), schema: ShownTriggerView },
  etag: true,
  secretAnswer: true,
  problems: ["invalid_state", "conflict", "precondition_failed"],
});

export const receiveHookEndpoint = endpoint({
  method: "POST",
  path: "/hooks/{token}",
  operationId: "receiveHook",
  shows: null,
  tag,
  summary: prose("Call an inbound trigger"),
  description: prose(
    "The URL is the credential. A body of any type is accepted; it is used only to verify the signature. Several calls in quick succession start one deployment. A call that repeats an `Idempotency-Key`, `webhook-id` or `X-GitHub-Delivery` starts none. The trigger shows the result. A call out of a webhook of this service that would start the eleventh deployment of a chain is accepted and starts none (`too_many_hops`): pass `Control-Api-Hops` on when you relay a webhook to a hook, so that a loop ends.",
  ),
  access: "public",
  params: z.object({ token: PathId.describe(prose("The secret part of the trigger's URL.")) }),
  openQuery: true,
  openBody: true,
  answer: {
    status: 202,
    description: prose("The call is accepted."),
    schema: z.object({ accepted: z.literal(true).describe(prose("True: the call is accepted.")) }),
  },
  problems: ["unauthenticated", "payload_too_large", "rate_limited", "conflict"],
});
