import * as z from "zod";
import { endpoint } from "#http/endpoint.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { Id, Instant, TenantIdField, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";

const Digest = z
  .string()
  .nullable()
  .describe(prose("SHA-256 (hex) of the object's canonical JSON. Null: the object did not exist."));

export const AuditEventView = z.object({
  tenantId: z.uuid().nullable().describe(prose("Null: an entry of the platform.")),
  sequence: z
    .int()
    .describe(prose("The number of the entry in its tenant: 1, 2, 3, without gaps.")),
  id: Id,
  at: Timestamp.describe(prose("The time of the change.")),
  actor: z
    .string()
    .describe(
      prose(
        "Who made the change: `key:<key id>`, `member:<user id>`, `operator:<key or user id>` or `system:<part>`.",
      ),
    ),
  action: z.string().describe(prose("The change, for example `cloud_target.create`.")),
  resourceType: z
    .string()
    .describe(prose("The kind of the changed object, for example `cloud_target`.")),
  resourceId: z.string().describe(prose("The id of the changed object.")),
  requestId: z
    .string()
    .describe(prose("The id of the request that made the change, or of the service's own work.")),
  beforeDigest: Digest,
  afterDigest: Digest,
  prevHash: z
    .string()
    .nullable()
    .describe(
      prose(
        "The hash of the previous entry. Null for up to about a minute, until the entry is hashed.",
      ),
    ),
  hash: z
    .string()
    .nullable()
    .describe(
      prose(
        "SHA-256 (hex) of `prevHash`, a line feed, and the canonical JSON of the entry without `prevHash` and `hash`. Null until the entry is hashed.",
      ),
    ),
});

const text = z.string().min(1).max(200).optional();
const time = Instant.optional();

export const listAuditEventsEndpoint = endpoint({
  method: "GET",
  path: "/audit-events",
  operationId: "listAuditEvents",
  tag: "Audit",
  summary: prose("Read the audit log"),
  description: prose(
    "One entry for each change, kept forever and linked by hashes. `npm run audit:verify FILE` verifies an export. Without `tenantId`, operators read the platform's log.",
  ),
  access: { role: "CustomerAdmin", scope: "audit:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantIdField.describe(
      prose(
        "The tenant whose log to read. Default: the caller's tenant; for operators, the platform. A member of several tenants must name one.",
      ),
    ),
    action: text.describe(prose("Only this action, for example `cloud_target.create`.")),
    resourceType: text.describe(prose("Only changes of objects of this kind.")),
    resourceId: text.describe(prose("Only changes of the object with this id.")),
    actor: text.describe(prose("Only changes by this actor, for example `key:<key id>`.")),
    from: time.describe(prose("Only entries from this time on.")),
    to: time.describe(prose("Only entries before this time.")),
  }),
  answer: {
    status: 200,
    description: prose("A page of audit entries, newest first."),
    schema: pageOf(AuditEventView),
  },
  problems: ["invalid_cursor"],
});
