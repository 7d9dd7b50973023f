import type * as z from "zod";
import { incidentView } from "#areas/incidents/public.ts";
import { route } from "#http/route.ts";
import { timestamp } from "#platform/timestamp.ts";
import { getStatusEndpoint, type StatusView } from "./contract.ts";
import { getStatus, type StatusOfTenant } from "./get-status.ts";

export const statusRoutes = [
  route(getStatusEndpoint, (call, { params }) => getStatus(call, params.tenantId), statusView),
];

function statusView(status: StatusOfTenant): z.input<typeof StatusView> {
  return {
    tenantId: status.tenant.id,
    status: status.status,
    components: status.components,
    incidents: status.incidents.map(incidentView),
    days: status.days,
    measuredAt: timestamp(status.measuredAtMs),
  };
}
