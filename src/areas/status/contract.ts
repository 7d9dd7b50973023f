import * as z from "zod";
import { IncidentView } from "#areas/incidents/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { PathId, Timestamp } from "#http/schemas.ts";
import { impacts } from "#schema/incidents.ts";
import { componentNames } from "./tenant-status.ts";

const tag = "Operations";

export const StatusView = z.object({
  tenantId: z.uuid(),
  status: z
    .enum(impacts)
    .describe(
      "The worst of what the open incidents say and of what the targets and the recent deployments show. UNKNOWN: nothing is known.",
    ),
  components: z.array(
    z.object({
      name: z.enum(componentNames),
      status: z.enum(impacts).describe("As measured, or worse if an open incident names it."),
      measured: z.int().describe("How many recent results there are."),
      failing: z.int().describe("How many of them are failures."),
    }),
  ),
  incidents: z.array(IncidentView).describe("The open ones, the platform's among them."),
  days: z
    .array(z.object({ date: z.iso.date(), status: z.enum(impacts) }))
    .describe("The last 90 days, UTC, oldest first, today last."),
  measuredAt: Timestamp,
});

export const getStatusEndpoint = endpoint({
  method: "GET",
  path: "/status/{tenantId}",
  operationId: "getStatus",
  tag,
  summary: "Read a tenant's status",
  description:
    "Deployments: those of the last seven days that ended by themselves, at most 100. Targets: what the last of them came to at each. Webhooks: the deliveries of the last day, at most 100; they do not count towards `status`. Of four results or more, up to a quarter of failures is OPERATIONAL, up to a half DEGRADED, more PARTIAL_OUTAGE, all MAJOR_OUTAGE; of fewer, any failure is DEGRADED.",
  access: { role: "CustomerViewer", scope: "status:read" },
  params: z.object({ tenantId: PathId }),
  answer: { status: 200, description: "The status.", schema: StatusView },
});
