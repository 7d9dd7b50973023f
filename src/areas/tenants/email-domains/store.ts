import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import { selectFrom } from "#platform/db/select-from.ts";
import { tenantEmailDomains } from "#schema/tenants.ts";
import type { EmailDomain } from "./email-domain.ts";

const t = tenantEmailDomains;
const selectDomains = selectFrom(t);

export function findEmailDomain(call: Call, tenantId: string, domain: string) {
  return selectDomains.where(
    sql`${t.tenantId} = ${tenantId} AND ${t.domain} = ${domain} AND ${call.inScope(t.tenantId)}`,
  );
}

/** All domains of the tenant, at most a hundred. */
export function findEmailDomains(call: Call, tenantId: string) {
  return selectDomains.where(sql`${t.tenantId} = ${tenantId} AND ${call.inScope(t.tenantId)}`, {
    orderBy: [sql`${t.domain}`],
  });
}

/** The guard and the update of a domain that was read. */
export function setEmailDomain(call: Call, before: EmailDomain, after: EmailDomain) {
  const itself = sql`${t.tenantId} = ${before.tenantId} AND ${t.domain} = ${before.domain}
    AND ${t.challenge} = ${before.challenge}`;
  const { method, verifiedAtMs, verifiedUntilMs, nextCheckAtMs } = after;
  const changes = { method, verifiedAtMs, verifiedUntilMs, nextCheckAtMs };
  return [
    call.require("conflict", sql`EXISTS (SELECT 1 FROM ${t} WHERE ${itself})`),
    call.write(before.tenantId, call.db.update(t).set(changes).where(itself)),
  ] as const;
}
