export { IncidentView } from "./contract.ts";
export { worstImpact } from "./incident.ts";
export { incidentView } from "./incident-view.ts";
export { findIncidentMoments, findOpenIncidents, type IncidentMoment } from "./store.ts";
