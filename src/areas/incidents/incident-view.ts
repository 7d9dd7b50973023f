import type * as z from "zod";
import { timestampOrNull } from "#http/schemas.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { Incident } from "#schema/incidents.ts";
import type { IncidentView } from "./contract.ts";

export function incidentView(incident: Incident): z.input<typeof IncidentView> {
  return {
    id: incident.id,
    tenantId: tenantIdView(incident.tenantId),
    title: incident.title,
    status: incident.status,
    impact: incident.impact,
    components: [...incident.components],
    message: incident.message,
    resolvedAt: timestampOrNull(incident.resolvedAtMs),
    createdAt: timestamp(incident.createdAtMs),
    updatedAt: timestamp(incident.updatedAtMs),
  };
}
