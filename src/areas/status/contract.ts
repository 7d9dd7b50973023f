import * as z from "zod";
import { IncidentView } from "#areas/incidents/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { TenantId, TenantParams, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { impacts } from "#schema/incidents.ts";
import { componentNames } from "./tenant-status.ts";

const tag = "Operations";

export const StatusView = z.object({
  tenantId: TenantId,
  status: z
    .enum(impacts)
    .describe(
      prose(
        "The worst impact of the open incidents (DEGRADED for one without an impact) and of the components `targets` and `deployments`. UNKNOWN: no data.",
      ),
    ),
  components: z
    .array(
      z.object({
        name: z.enum(componentNames).describe(prose("The component's name.")),
        status: z
          .enum(impacts)
          .describe(
            prose(
              "The measured status, or that of an open incident that names the component, if worse.",
            ),
          ),
        measured: z.int().describe(prose("The number of recent results.")),
        failing: z.int().describe(prose("The number of failures among them.")),
      }),
    )
    .describe(prose("The measured components.")),
  incidents: z
    .array(IncidentView)
    .describe(prose("The open incidents of the tenant and of the platform.")),
  days: z
    .array(
      z.object({
        date: z.iso.date().describe(prose("The day, in UTC.")),
        status: z.enum(impacts).describe(prose("The worst status of the day.")),
      }),
    )
    .describe(prose("The last 90 days (UTC), oldest first; today is the last.")),
  measuredAt: Timestamp.describe(prose("The time of the measurement.")),
});

export const getStatusEndpoint = endpoint({
  method: "GET",
  path: "/status/{tenantId}",
  operationId: "getStatus",
  tag,
  summary: prose("Read a tenant's status"),
  description: prose(
    "Measured results: `deployments` are those of the last seven days that ended by themselves, at most 100; those that failed by a fault of the user (`error.fault`) do not count. `targets` are the targets of these deployments, each with the result of its last one. `webhooks` are the deliveries of the last day, at most 100; they do not count towards `status`. With four results or more, a share of failures up to 1/4 is OPERATIONAL, up to 1/2 DEGRADED, above PARTIAL_OUTAGE, and all MAJOR_OUTAGE. With fewer results, any failure is DEGRADED.",
  ),
  access: { role: "CustomerViewer", scope: "status:read" },
  params: TenantParams,
  answer: { status: 200, description: prose("The status."), schema: StatusView },
});
