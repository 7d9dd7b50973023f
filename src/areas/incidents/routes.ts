import type * as z from "zod";
import { route } from "#http/route.ts";
import { tenantIdView } from "#platform/ids.ts";
import { timestamp } from "#platform/timestamp.ts";
import type { IncidentUpdate } from "#schema/incidents.ts";
import { addIncidentUpdate } from "./add-incident-update.ts";
import {
  addIncidentUpdateEndpoint,
  createIncidentEndpoint,
  getIncidentEndpoint,
  type IncidentUpdateView,
  type IncidentWithUpdates,
  listIncidentsEndpoint,
} from "./contract.ts";
import { createIncident } from "./create-incident.ts";
import { incidentView } from "./incident-view.ts";
import { type FullIncident, getIncident, listIncidents } from "./read-incidents.ts";

export const incidentRoutes = [
  route(createIncidentEndpoint, (call, { body }) => createIncident(call, body), fullView),
  route(
    listIncidentsEndpoint,
    (call, { query }) => listIncidents(call, query, incidentView),
    (page) => page,
  ),
  route(getIncidentEndpoint, (call, { params }) => getIncident(call, params.id), fullView),
  route(
    addIncidentUpdateEndpoint,
    (call, { params, body }) => addIncidentUpdate(call, params.id, body),
    updateView,
  ),
];

function fullView(incident: FullIncident): z.input<typeof IncidentWithUpdates> {
  return { ...incidentView(incident), updates: incident.updates.map(updateView) };
}

function updateView(update: IncidentUpdate): z.input<typeof IncidentUpdateView> {
  return {
    id: update.id,
    tenantId: tenantIdView(update.tenantId),
    incidentId: update.incidentId,
    status: update.status,
    message: update.message,
    impact: update.impact,
    createdAt: timestamp(update.createdAtMs),
  };
}
