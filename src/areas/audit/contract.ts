import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/page.ts";
import { Instant, TenantIdField, Timestamp } from "#http/schemas.ts";

const Digest = z
  .string()
  .nullable()
  .describe("SHA-256 of the row's canonical JSON, hex; null: there was none.");

export const AuditEventView = z.object({
  tenantId: z.uuid().nullable().describe("Null: the platform's own."),
  sequence: z.int().describe("Counts 1, 2, 3 in the tenant, without a gap."),
  id: z.uuid(),
  at: Timestamp,
  actor: z
    .string()
    .describe("`key:<key id>`, `member:<user id>`, `operator:<key or user id>`, `system:<part>`."),
  action: z.string(),
  resourceType: z.string(),
  resourceId: z.string(),
  requestId: z.string(),
  beforeDigest: Digest,
  afterDigest: Digest,
  prevHash: z
    .string()
    .nullable()
    .describe("The hash of the entry before. Null for about a minute, until the entry is sealed."),
  hash: z
    .string()
    .nullable()
    .describe(
      "SHA-256, hex, of `prevHash`, a line break, and the canonical JSON of the entry without `prevHash` and `hash`.",
    ),
});

const text = z.string().min(1).max(200).optional();
const time = Instant.optional();

export const listAuditEventsEndpoint = endpoint({
  method: "GET",
  path: "/audit-events",
  operationId: "listAuditEvents",
  tag: "Audit",
  summary: "Read the audit log",
  description:
    "Every change, one entry, kept for good and chained by hash. `npm run audit:verify FILE` checks an export of it. An operator who names no tenant reads the platform's own.",
  access: { role: "CustomerAdmin", scope: "audit:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantIdField,
    action: text.describe("`cloud_target.create`"),
    resourceType: text,
    resourceId: text,
    actor: text,
    from: time.describe("Entries made at this time or later."),
    to: time.describe("Entries made before this time."),
  }),
  answer: { status: 200, description: "Newest first.", schema: pageOf(AuditEventView) },
  problems: ["invalid_cursor"],
});
