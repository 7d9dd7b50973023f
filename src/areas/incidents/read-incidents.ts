import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import type { Incident, IncidentUpdate } from "#schema/incidents.ts";
import { SHOWN_UPDATES } from "./contract.ts";
import { findIncident, findIncidents, findIncidentUpdates, type IncidentFilters } from "./store.ts";

/** `updates`: newest first. */
export interface FullIncident extends Incident {
  updates: IncidentUpdate[];
}

export async function getIncident(call: Call, id: string): Promise<FullIncident> {
  const [incident, updates] = await call.read(
    one(findIncident(call, id), "incident"),
    findIncidentUpdates(call, id, SHOWN_UPDATES),
  );
  return { ...incident, updates };
}

export async function listIncidents<V>(
  call: Call,
  query: IncidentFilters & PageQuery,
  view: (incident: Incident) => V,
): Promise<Page<V>> {
  const { limit: _, cursor: __, ...filters } = query;
  const signed = { list: "incidents", ...filters };
  const page = await openPage(call, query, signed);
  const [rows] = await call.read(findIncidents(call, page, filters));
  return closePage(call, page, signed, rows, view);
}
