import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { Timestamp } from "#http/schemas.ts";
import { planNames, settableLimits } from "#schema/plans.ts";

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
  plan: z.enum(planNames).describe("The plan in force: `community` where no license counts."),
  status: z
    .enum(licenseStatuses)
    .describe(
      "`EXPIRING`: within 14 days. `GRACE`: expired for at most 14 days. `EXPIRED`: no new deployments. `COMMUNITY`: none is installed. `INVALID` and `NOT_YET_VALID`: one is, and does not count.",
    ),
  features: z.array(z.string()),
  expiresAt: Timestamp.nullable(),
  graceEndsAt: Timestamp.nullable().describe("Until then new deployments are possible."),
  limits: z
    .record(z.enum(settableLimits), z.int().nullable())
    .optional()
    .describe("For operators: what each tenant may have, by default. Null: no limit."),
  licenseId: z.string().nullable().optional().describe("For operators."),
  licensee: z.string().nullable().optional().describe("For operators."),
  problem: z
    .string()
    .nullable()
    .optional()
    .describe("For operators: why the installed license does not count."),
});

export const getLicenseEndpoint = endpoint({
  method: "GET",
  path: "/license",
  operationId: "getLicense",
  tag: "License",
  summary: "Read the license",
  description: "The installation's. Tenants read a summary, operators all of it.",
  access: { role: "CustomerViewer", scope: "license:read" },
  answer: { status: 200, description: "The license.", schema: LicenseView },
  etag: true,
});
