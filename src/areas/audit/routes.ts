import { route } from "#http/route.ts";
import { listAuditEventsEndpoint } from "./contract.ts";
import { listAuditEvents } from "./list-audit-events.ts";

export const auditRoutes = [
  route(
    listAuditEventsEndpoint,
    (call, { query }) => listAuditEvents(call, query),
    (page) => page,
  ),
];
