import { sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { type Tenant, tenantEmailDomains } from "#schema/tenants.ts";
import { newChallenge, normalDomain, unusable } from "./email-domain.ts";

/**
 * Follows a change of the tenant's domains. A domain that stays keeps its proof; a new one has none, unless an operator
 * names it.
 */
export function indexEmailDomains(
  call: Call,
  { id, allowedEmailDomains }: Pick<Tenant, "id" | "allowedEmailDomains">,
): Write[] {
  const t = tenantEmailDomains;
  const domains = new Set(allowedEmailDomains.map(normalDomain));
  domains.delete("");
  const isOperators = call.actor.kind === "operator";
  const rows = [...domains].map((domain) => ({
    domain,
    challenge: newChallenge(),
    method: isOperators && unusable(domain) === undefined ? "operator" : null,
  }));
  return [
    call.write(
      id,
      call.db
        .delete(t)
        .where(
          sql`${t.tenantId} = ${id} AND ${t.domain} NOT IN (SELECT value FROM json_each(${JSON.stringify([...domains])}))`,
        ),
    ),
    call.write(
      id,
      call.db.run(
        sql`INSERT INTO ${t} (tenant_id, domain, challenge, method, verified_at_ms)
          SELECT ${id}, value ->> 'domain', value ->> 'challenge', value ->> 'method',
            CASE WHEN value ->> 'method' IS NOT NULL THEN ${call.now} END
          FROM json_each(${JSON.stringify(rows)}) WHERE true ON CONFLICT DO NOTHING`,
      ),
    ),
  ];
}
