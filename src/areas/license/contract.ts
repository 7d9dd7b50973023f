import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { planNames, settableLimits } from "#schema/lists/plans.ts";

const licenseStatuses = [
  "COMMUNITY",
  "ACTIVE",
  "EXPIRING",
  "GRACE",
  "EXPIRED",
  "NOT_YET_VALID",
  "INVALID",
] as const;

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
  features: z.array(z.string()),
  expiresAt: Timestamp.nullable().describe(
    prose("When the installed license expires. Null: there is no valid one."),
  ),
  graceEndsAt: Timestamp.nullable().describe(
    prose("New deployments are possible until then. Null: no license is in force."),
  ),
  limits: z
    .record(z.enum(settableLimits), z.int().nullable())
    .optional()
    .describe(prose("Shown to operators only: the default limits of each tenant. Null: no limit.")),
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
