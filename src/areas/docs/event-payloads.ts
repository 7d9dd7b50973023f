/**
 * The payload of each kind of event, as receivers read it. Every kind has a row here: a kind without one does not
 * compile, and a sent member without a declaration fails the suite that sent it.
 */
import * as z from "zod";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import { ImportProgress } from "#areas/imports/public.ts";
import { PageUrl, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { impacts } from "#schema/incidents.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { planNames } from "#schema/lists/plans.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

const {
  operation,
  state: deploymentState,
  summary,
  error,
  outputsError,
  requestedBy,
} = DeploymentView.shape;

const Path = z.string().describe(prose("Below the service's address: `/api/v1/…`."));
const Changed = z.array(z.string()).describe(prose("The fields that were named."));

const deployment = {
  operation,
  previousState: deploymentState.optional().describe(prose("Absent: it was made just now.")),
  state: deploymentState,
  instanceId: z.uuid().describe(prose("The instance's id.")),
  deploymentUrl: Path,
  instanceUrl: Path,
  pageUrl: PageUrl,
};
const Deployment = z.object(deployment);
const DeploymentPlanned = z.object({
  ...deployment,
  summary: summary.unwrap().describe(prose("The number of planned changes by action.")),
  planHash: z.string().describe(prose("The SHA-256 of the plan, which an approval is bound to.")),
});
const DeploymentSucceeded = z.object({
  ...deployment,
  outputsError: outputsError
    .unwrap()
    .optional()
    .describe(prose("Why the instance's outputs could not be computed. Absent: they were.")),
});
const DeploymentFailed = z.object({
  ...deployment,
  error: error.unwrap().describe(prose("The error that ended the deployment.")),
});

const DeploymentDecided = z.object({
  ...deployment,
  by: requestedBy.describe(prose("Who decided.")),
  comment: z.string().optional().describe(prose("As given with the decision. Absent: none.")),
});

const Instance = z.object({
  state: z.string().describe(prose("The instance's state.")),
  instanceUrl: Path,
  pageUrl: PageUrl,
});
const RunOfInstance = z.object({
  deploymentId: z.uuid().describe(prose("The deployment's id.")),
  deploymentUrl: Path,
  instanceUrl: Path,
  pageUrl: PageUrl.describe(prose("The instance's page in the console. Null: as of deployments.")),
});
const Drift = RunOfInstance.extend({
  resources: z.array(z.string()).describe(prose("The drifted ones by their names, 50 at most.")),
});
const Target = z.object({
  provider: z.string().describe(prose("The cloud provider.")),
  environment: z.string().describe(prose("The environment that the target serves.")),
});
const Version = z.object({
  version: z.int().describe(prose("The number of the version: 1, 2, 3.")),
});
const Listing = z.object({
  slug: z.string().describe(prose("The listing's short name.")),
  status: z.string().describe(prose("The listing's status.")),
});
const Revision = Listing.extend({
  revision: z.boolean().optional().describe(prose("True: of a listing that was published before.")),
});
const Import = z.object({
  state: z.string().describe(prose("The import's state.")),
  progress: ImportProgress,
  importUrl: Path,
});
const Incident = z.object({
  status: z.string().describe(prose("The incident's status.")),
  impact: z.enum(impacts).describe(prose("The impact on the affected components.")),
});
const Tenant = z.object({ slug: z.string().describe(prose("The tenant's short name in URLs.")) });
const Role = z.enum(tenantRoles).describe(prose("The role in the tenant."));
const Member = z.object({ userId: z.uuid().describe(prose("The person's id.")), role: Role });
const ApiKey = z.object({ prefix: z.string().describe(prose("The beginning of the key.")) });
const License = z.object({
  plan: z.enum(planNames).describe(prose("The plan in force.")),
  status: z.string().describe(prose("The license's status.")),
  expiresAt: Timestamp.describe(prose("The end of the license.")),
  graceEndsAt: Timestamp.describe(
    prose("The end of the time in which an expired license still allows deployments."),
  ),
  licenseUrl: Path,
});
const Flag = z.object({ key: z.string().describe(prose("The key of the flag.")) });
const Nothing = z.object({});

const data: Readonly<Record<EventType, z.ZodObject>> = {
  "deployment.queued": Deployment,
  "deployment.started": Deployment,
  "deployment.planned": DeploymentPlanned,
  "deployment.approval_required": Deployment,
  "deployment.approved": DeploymentDecided,
  "deployment.discarded": DeploymentDecided,
  "deployment.applying": Deployment,
  "deployment.succeeded": DeploymentSucceeded,
  "deployment.no_changes": DeploymentSucceeded,
  "deployment.failed": DeploymentFailed,
  "deployment.canceling": Deployment,
  "deployment.canceled": Deployment,
  "deployment.superseded": Deployment,
  "deployment.expired": Deployment,
  "instance.created": Instance,
  "instance.updated": Instance.extend({ changed: Changed }),
  "instance.outputs_changed": RunOfInstance.extend({
    outputs: z.array(z.string()).describe(prose("Those that changed, by their names, 50 at most.")),
  }),
  "instance.drift_detected": Drift,
  "instance.drift_resolved": Drift,
  "instance.expiring": Instance.extend({
    expiresAt: Timestamp.nullable().describe(
      prose("The time of the automatic destruction. Null: never."),
    ),
  }),
  "instance.destroyed": RunOfInstance,
  "instance.deleted": Instance.omit({ instanceUrl: true, pageUrl: true }),
  "target.created": Target,
  "target.updated": Target.extend({ changed: Changed }),
  "target.verified": Target,
  "target.verification_failed": Target.extend({
    code: z.string().describe(prose("The kind of failure, for programs.")),
  }),
  "target.deleted": Target,
  "template.created": Nothing,
  "template.version_created": Version,
  "template.version_deprecated": Version,
  "template.deleted": Nothing,
  "listing.submitted": Revision,
  "listing.published": Revision,
  "listing.rejected": Revision,
  "listing.unlisted": Revision,
  "listing.updated": Revision,
  "listing.installed": Listing,
  "import.created": Import,
  "import.completed": Import,
  "import.failed": Import,
  "incident.created": Incident,
  "incident.updated": Incident,
  "incident.resolved": Incident,
  "status.changed": z.object({
    status: z.enum(impacts).describe(prose("The status now.")),
    previous: z.enum(impacts).describe(prose("The status before.")),
    statusUrl: Path,
  }),
  "tenant.created": Tenant,
  "tenant.updated": Tenant,
  "tenant.deleted": Tenant,
  "member.added": Member,
  "member.role_changed": Member.extend({ previousRole: Role.describe(prose("The role before.")) }),
  "member.removed": Member,
  "api_key.created": ApiKey,
  "api_key.rotated": ApiKey,
  "api_key.revoked": ApiKey,
  "license.expiring": License,
  "license.expired": License,
  "license.limit_reached": z.object({
    limit: z.string().describe(prose("The name of the limit, all of which is used now.")),
    usageUrl: Path,
  }),
  "webhook.test": Nothing,
  "webhook.failing": z.object({
    failingSince: Timestamp.describe(prose("The first failure since the last success.")),
    disabledAfter: Timestamp.describe(prose("Without a success until then, it is disabled.")),
    webhookUrl: Path,
  }),
  "webhook.disabled": z.object({
    reason: z.string().describe(prose("The reason: `disabledReason` of the webhook.")),
  }),
  "webhook.secret_rotated": z.object({
    endedSecrets: z
      .array(Timestamp)
      .describe(prose("When the secrets were made with which deliveries are no longer signed.")),
  }),
  "message.dead_lettered": z.object({
    queue: z.string().describe(prose("The name of the queue.")),
    attempts: z.int().describe(prose("The number of attempts.")),
    sentAt: Timestamp.describe(prose("The time of sending.")),
    work: z.record(z.string(), z.string()).describe(prose("The ids that the message carried.")),
  }),
  "feature_flag.updated": Flag.extend({
    enabled: z.boolean().describe(prose("False: every evaluation gives the default variant.")),
    flagUrl: Path,
  }),
  "feature_flag.deleted": Flag,
  "profile.updated": z.object({ changed: Changed, profileUrl: Path }),
  "profile.deleted": Nothing,
};

const pascal = (kind: string): string =>
  kind.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The payload that a webhook receives, by the kind of the event. */
export const eventPayloads = Object.fromEntries(
  Object.entries(data).map(([kind, itsData]) => [
    kind,
    z
      .object({
        id: z.uuid().describe(prose("The same in every delivery, retry and redelivery.")),
        type: z.literal(kind).describe(prose("The kind of the event.")),
        timestamp: Timestamp.describe(prose("The time of the event.")),
        apiVersion: z.literal("v1").describe(prose("The version of the payload's shape.")),
        tenantId: z.uuid().nullable().describe(prose("Null: the platform's own.")),
        sequence: z.int().describe(prose("Rises per resource: order by it.")),
        data: itsData
          .extend({
            resource: z
              .object({
                type: z.string().describe(prose("The kind of the object.")),
                id: z.string().describe(prose("The object's id.")),
              })
              .describe(prose("The object that the event is about.")),
          })
          .describe(prose("The facts of the event.")),
      })
      .meta({ id: `${pascal(kind)}Event` }),
  ]),
) as Readonly<Record<string, z.ZodObject>>;
