/**
 * What each kind of event tells, as its receivers read it. Every kind has a row here: a kind without one does not
 * compile, and a member that is sent without being declared fails the suite in which it was sent.
 */
import * as z from "zod";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import { PageUrl, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { impacts } from "#schema/incidents.ts";
import type { EventType } from "#schema/lists/event-kinds.ts";
import { planNames } from "#schema/lists/plans.ts";
import { tenantRoles } from "#schema/lists/roles.ts";

const { operation, state: deploymentState, summary, error, outputsError } = DeploymentView.shape;

const Path = z.string().describe(prose("Below the service's address: `/api/v1/…`."));
const Changed = z.array(z.string()).describe(prose("The fields that were named."));

const deployment = {
  operation,
  previousState: deploymentState.optional().describe(prose("Absent: it was made just now.")),
  state: deploymentState,
  instanceId: z.uuid(),
  deploymentUrl: Path,
  instanceUrl: Path,
  pageUrl: PageUrl,
};
const Deployment = z.object(deployment);
const DeploymentPlanned = z.object({
  ...deployment,
  summary: summary.unwrap(),
  planHash: z.string(),
});
const DeploymentSucceeded = z.object({
  ...deployment,
  outputsError: outputsError
    .unwrap()
    .optional()
    .describe(prose("Why the instance's outputs could not be computed. Absent: they were.")),
});
const DeploymentFailed = z.object({ ...deployment, error: error.unwrap() });

const Instance = z.object({ state: z.string(), instanceUrl: Path, pageUrl: PageUrl });
const RunOfInstance = z.object({
  deploymentId: z.uuid(),
  deploymentUrl: Path,
  instanceUrl: Path,
  pageUrl: PageUrl.describe(prose("The instance's page in the console. Null: as of deployments.")),
});
const Drift = RunOfInstance.extend({
  resources: z.array(z.string()).describe(prose("The drifted ones by their names, 50 at most.")),
});
const Target = z.object({ provider: z.string(), environment: z.string() });
const Version = z.object({ version: z.int() });
const Listing = z.object({ slug: z.string(), status: z.string() });
const Revision = Listing.extend({
  revision: z.boolean().optional().describe(prose("True: of a listing that was published before.")),
});
const Import = z.object({
  state: z.string(),
  progress: z.object({ total: z.int(), parsed: z.int(), failed: z.int(), skipped: z.int() }),
  importUrl: Path,
});
const Incident = z.object({ status: z.string(), impact: z.enum(impacts) });
const Tenant = z.object({ slug: z.string() });
const Role = z.enum(tenantRoles);
const Member = z.object({ userId: z.uuid(), role: Role });
const ApiKey = z.object({ prefix: z.string().describe(prose("The beginning of the key.")) });
const License = z.object({
  plan: z.enum(planNames),
  status: z.string(),
  expiresAt: Timestamp,
  graceEndsAt: Timestamp,
  licenseUrl: Path,
});
const Flag = z.object({ key: z.string() });
const Nothing = z.object({});

const data: Readonly<Record<EventType, z.ZodObject>> = {
  "deployment.queued": Deployment,
  "deployment.started": Deployment,
  "deployment.planned": DeploymentPlanned,
  "deployment.approval_required": Deployment,
  "deployment.approved": Deployment,
  "deployment.discarded": Deployment,
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
  "instance.expiring": Instance.extend({ expiresAt: Timestamp.nullable() }),
  "instance.destroyed": RunOfInstance,
  "instance.deleted": Instance.omit({ instanceUrl: true, pageUrl: true }),
  "target.created": Target,
  "target.updated": Target.extend({ changed: Changed }),
  "target.verified": Target,
  "target.verification_failed": Target.extend({ code: z.string() }),
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
    status: z.enum(impacts),
    previous: z.enum(impacts),
    statusUrl: Path,
  }),
  "tenant.created": Tenant,
  "tenant.updated": Tenant,
  "tenant.deleted": Tenant,
  "member.added": Member,
  "member.role_changed": Member.extend({ previousRole: Role }),
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
    failingSince: Timestamp,
    disabledAfter: Timestamp.describe(prose("Without a success until then, it is disabled.")),
    webhookUrl: Path,
  }),
  "webhook.disabled": z.object({ reason: z.string() }),
  "webhook.secret_rotated": z.object({
    endedSecrets: z
      .array(Timestamp)
      .describe(prose("When the secrets were made with which deliveries are no longer signed.")),
  }),
  "message.dead_lettered": z.object({
    queue: z.string(),
    attempts: z.int(),
    sentAt: Timestamp,
    work: z.record(z.string(), z.string()).describe(prose("The ids that the message carried.")),
  }),
  "feature_flag.updated": Flag.extend({ enabled: z.boolean(), flagUrl: Path }),
  "feature_flag.deleted": Flag,
  "profile.updated": z.object({ changed: Changed, profileUrl: Path }),
  "profile.deleted": Nothing,
};

const pascal = (kind: string): string =>
  kind.replace(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What a webhook receives, by the kind of the event. */
export const eventPayloads = Object.fromEntries(
  Object.entries(data).map(([kind, itsData]) => [
    kind,
    z
      .object({
        id: z.uuid().describe(prose("The same in every delivery, retry and redelivery.")),
        type: z.literal(kind),
        timestamp: Timestamp,
        apiVersion: z.literal("v1"),
        tenantId: z.uuid().nullable().describe(prose("Null: the platform's own.")),
        sequence: z.int().describe(prose("Rises per resource: order by it.")),
        data: itsData.extend({
          resource: z
            .object({ type: z.string(), id: z.string() })
            .describe(prose("What it is about.")),
        }),
      })
      .meta({ id: `${pascal(kind)}Event` }),
  ]),
) as Readonly<Record<string, z.ZodObject>>;
