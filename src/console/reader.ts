/** The reader of a page. */
import type * as z from "zod";
import type { CurrentSessionView } from "#areas/sign-in/contract.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { isAtLeast, memberRoleFor } from "#kernel/access/access.ts";

/** The number of tenants that an operator may choose from at once. */
export const LISTED_TENANTS = 100;

export type Reader = z.output<typeof CurrentSessionView> & {
  /** The tenants of the installation by name, for operators: they may act for tenants without being members. */
  others: readonly { tenantId: string; name: string; slug: string }[];
};

/** The tenants whose objects the reader sees. */
export function tenantsOf({ operator, tenants, others }: Reader): Reader["others"] {
  return operator ? others : tenants;
}

export function nameOf({ user }: Reader): string {
  return user.name ?? user.email ?? user.subject;
}

/** The name of a tenant; undefined if the reader does not see it. */
export function tenantName(reader: Reader, tenantId: string | null): string | undefined {
  return [...reader.tenants, ...reader.others].find((tenant) => tenant.tenantId === tenantId)?.name;
}

/** Whether the reader may use the endpoint on others' objects. Some endpoints let everybody use them on their own. */
export function mayForOthers(
  reader: Reader,
  { access }: Pick<Endpoint, "access">,
  tenantId: string | null,
): boolean {
  const isOwnToo = access !== "public" && access.orSelf === true;
  return may(reader, { access: isOwnToo ? { ...access, orSelf: false } : access }, tenantId);
}

/** Whether the reader may use the endpoint for at least one tenant. */
export function mayAnywhere(reader: Reader, endpoint: Pick<Endpoint, "access">): boolean {
  return reader.operator || reader.tenants.some(({ tenantId }) => may(reader, endpoint, tenantId));
}

/** Whether the reader may use the endpoint on the tenant's objects. The API decides again. */
export function may(
  { operator, tenants }: Pick<Reader, "operator" | "tenants">,
  { access }: Pick<Endpoint, "access">,
  tenantId: string | null,
): boolean {
  if (operator) return true;
  const held = tenants.find((tenant) => tenant.tenantId === tenantId)?.role;
  const needed = memberRoleFor(access);
  return held !== undefined && needed !== undefined && isAtLeast(held, needed);
}
