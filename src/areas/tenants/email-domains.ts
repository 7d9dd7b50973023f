import { eq, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import { type Tenant, tenantEmailDomains } from "#schema/tenants.ts";

/** Rewrites the index of the tenant's domains. */
export function indexEmailDomains(
  call: Call,
  { id, allowedEmailDomains }: Pick<Tenant, "id" | "allowedEmailDomains">,
): Write[] {
  const t = tenantEmailDomains;
  const domains = new Set(allowedEmailDomains.map((domain) => domain.trim().toLowerCase()));
  domains.delete("");
  const list = JSON.stringify([...domains]);
  return [
    call.write(id, call.db.delete(t).where(eq(t.tenantId, id))),
    call.write(
      id,
      call.db.run(
        sql`INSERT INTO ${t} (tenant_id, domain) SELECT ${id}, value FROM json_each(${list})`,
      ),
    ),
  ];
}
