import { route } from "#http/router.ts";
import { listAuditEventsEndpoint } from "./contract.ts";
import { listAuditEvents } from "./list-audit-events.ts";

export const auditRoutes = [
  route(
    listAuditEventsEndpoint,
    (call, { query }) => listAuditEvents(call, query),
    (page) => page,
  ),
];
