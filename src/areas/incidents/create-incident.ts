import type * as z from "zod";
import { enforcePlanLimit, tenantOfNew, requireBytes } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import {
  type Incident,
  incidents,
  type IncidentUpdate,
  incidentUpdates,
} from "#schema/incidents.ts";
import type { CreateIncidentBody } from "./contract.ts";
import { impactIn } from "./incident.ts";
import type { FullIncident } from "./read-incidents.ts";

export async function createIncident(
  call: Call,
  body: z.output<typeof CreateIncidentBody>,
): Promise<FullIncident> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  const { title, message, status, components } = body;
  const incident: Incident = {
    id: call.newId(),
    tenantId,
    title,
    status,
    impact: impactIn(status, body.impact, "UNKNOWN"),
    components,
    message,
    resolvedAtMs: status === "RESOLVED" ? call.now : null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const { id, impact } = incident;
  const update: IncidentUpdate = {
    tenantId,
    incidentId: id,
    id: call.newId(),
    status,
    impact,
    createdAtMs: call.now,
    message,
  };
  const resource = { tenantId, type: "incident", id };
  return call.commit({ ...incident, updates: [update] }, [
    ...(await requireBytes(call, "definitionBytes", tenantId)),
    ...(await enforcePlanLimit(call, "incidents", tenantId, incidents)),
    call.write(incident.tenantId, call.db.insert(incidents).values(incident)),
    call.write(update.tenantId, call.db.insert(incidentUpdates).values(update)),
    audit("incident.create", resource, { after: incident }),
    event("incident.created", { ...resource, sequence: 1 }, { status, impact }),
  ]);
}
