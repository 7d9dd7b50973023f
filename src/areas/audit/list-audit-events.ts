import { closePage, openPage, type Page } from "#http/lists/page.ts";
import { soleTenant, tenantRequired } from "#kernel/access/access.ts";
import type { SealedRecord } from "#kernel/audit/audit-chain.ts";
import type { Call } from "#kernel/call/call.ts";
import { auditRecord, findAuditEvents } from "./store.ts";

/**
 * Reads the log of one tenant, since each tenant has its own chain. Operators can read the log of a deleted
 * tenant.
 */
export async function listAuditEvents(
  call: Call,
  query: {
    limit: number;
    cursor?: string | undefined;
    tenantId?: string | undefined;
    action?: string | undefined;
    resourceType?: string | undefined;
    resourceId?: string | undefined;
    actor?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  },
): Promise<Page<SealedRecord>> {
  const { limit: _, cursor: __, from, to, ...equal } = query;
  const filters = {
    ...equal,
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
    ...(to === undefined ? {} : { toMs: Date.parse(to) }),
  };
  const page = await openPage(call, query, { list: "audit-events", ...filters });
  const [rows] = await call.read(findAuditEvents(call, page, filters));
  const { actor } = call;
  if (query.tenantId === undefined && actor.kind === "member" && soleTenant(actor) === undefined)
    throw tenantRequired("query", "tenantId");
  return closePage(call, page, { list: "audit-events", ...filters }, rows, (row) => ({
    ...auditRecord(row),
    prevHash: row.prevHash,
    hash: row.hash,
  }));
}
