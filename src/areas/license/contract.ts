import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { planNames } from "#schema/lists/plans.ts";

const licenseStatuses = [
  "COMMUNITY",
  "ACTIVE",
  "EXPIRING",
  "GRACE",
  "EXPIRED",
  "NOT_YET_VALID",
  "INVALID",
] as const;

const Limit = z.int().nullable();
/** The limits of a tenant, by name. */
export const LimitsView = z.object({
  instances: Limit.describe(prose("Instances. Null: no limit.")),
  targets: Limit.describe(prose("Cloud targets. Null: no limit.")),
  templates: Limit.describe(prose("Templates. Null: no limit.")),
  templateVersions: Limit.describe(prose("Versions of all templates. Null: no limit.")),
  profiles: Limit.describe(prose("Profiles. Null: no limit.")),
  listings: Limit.describe(prose("Listings. Null: no limit.")),
  incidents: Limit.describe(prose("Incidents, open and resolved. Null: no limit.")),
  imports: Limit.describe(prose("Imports of the last 30 days. Null: no limit.")),
  webhooks: Limit.describe(prose("Webhooks. Null: no limit.")),
  members: Limit.describe(prose("Members and open invitations. Null: no limit.")),
  apiKeys: Limit.describe(prose("API keys that are not revoked. Null: no limit.")),
  deploymentsPerMonth: Limit.describe(
    prose("Deploys and rollbacks in a calendar month. Null: no limit."),
  ),
  webhookAnswerBytesPerMonth: Limit.describe(
    prose("Bytes of receivers' answers that are stored in a calendar month. Null: no limit."),
  ),
  definitionBytes: Limit.describe(
    prose(
      "Bytes of template versions, of the variables of instances and profiles, of triggers and of the messages of incidents. Null: no limit.",
    ),
  ),
  deploymentBytes: Limit.describe(
    prose(
      "Bytes of plans, and of the variables, messages, labels and errors that deployments keep. Null: no limit.",
    ),
  ),
  importBytes: Limit.describe(prose("Bytes of imports as they are stored. Null: no limit.")),
  changesPerDay: Limit.describe(prose("Audit entries in 24 hours. Null: no limit.")),
  auditEntries: Limit.describe(prose("Audit entries, which are kept for ever. Null: no limit.")),
  keptDeliveries: Limit.describe(
    prose(
      "Deliveries of webhooks that are kept for 30 days, the newest; as many attempts, and a quarter as many events. Null: all of 30 days.",
    ),
  ),
  deploysPerMinute: Limit.describe(
    prose(
      "Deploys, plans, destroys, drift checks and rollbacks, counted together. Null: no limit.",
    ),
  ),
  importsPerMinute: Limit.describe(prose("Imports within any 60 seconds. Null: no limit.")),
  templateVersionsPerMinute: Limit.describe(
    prose("New template versions within any 60 seconds. Null: no limit."),
  ),
});

export const LicenseView = z.object({
  plan: z
    .enum(planNames)
    .describe(prose("The plan in force; `community` without a valid license.")),
  status: z
    .enum(licenseStatuses)
    .describe(
      prose(
        "`COMMUNITY`: no license is installed. `EXPIRING`: it expires within 14 days. `GRACE`: it expired at most 14 days ago. `EXPIRED`: the grace period is over; new deployments are refused. `INVALID`, `NOT_YET_VALID`: the installed license is not in force.",
      ),
    ),
  features: z.array(z.string()).describe(prose("The features that the license switches on.")),
  expiresAt: Timestamp.nullable().describe(
    prose("When the installed license expires. Null: there is no valid one."),
  ),
  graceEndsAt: Timestamp.nullable().describe(
    prose("New deployments are possible until then. Null: no license is in force."),
  ),
  limits: LimitsView.optional().describe(
    prose("Shown to operators only: the default limits of each tenant."),
  ),
  licenseId: z.string().nullable().optional().describe(prose("Shown to operators only.")),
  licensee: z.string().nullable().optional().describe(prose("Shown to operators only.")),
  problem: z
    .string()
    .nullable()
    .optional()
    .describe(
      prose(
        "Shown to operators only: why the installed license is not in force. Null: it is, or none is installed.",
      ),
    ),
});

export const getLicenseEndpoint = endpoint({
  method: "GET",
  path: "/license",
  operationId: "getLicense",
  tag: "License",
  summary: prose("Read the license"),
  description: prose(
    "The license of the installation. Tenants see a summary, operators all fields.",
  ),
  access: { role: "CustomerViewer", scope: "license:read" },
  answer: { status: 200, description: prose("The license."), schema: LicenseView },
  etag: true,
});
