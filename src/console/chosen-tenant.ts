/**
 * The tenant whose objects the lists show: the one that the address names, else the last one that was chosen, which a
 * cookie remembers. It grants nothing: the API decides what the reader sees.
 */
import { LISTED_TENANTS, type Reader, tenantsOf } from "./reader.ts";

const COOKIE = "console_tenant";
const idShape = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const YEAR_S = 365 * 24 * 60 * 60;

export interface ChosenTenant {
  /** Undefined: all that the reader sees. */
  tenantId: string | undefined;
  /** Where the choice is from. */
  from: "address" | "cookie" | "nowhere";
}

/** `?tenantId=` without a value means all tenants. */
export function chosenTenant(query: URLSearchParams, cookies: string | undefined): ChosenTenant {
  const named = query.get("tenantId");
  if (named !== null) return { tenantId: named === "" ? undefined : named, from: "address" };
  const pairs = (cookies ?? "").split(";").map((pair) => pair.trim().split("="));
  const remembered = pairs.find(([name]) => name === COOKIE)?.[1] ?? "";
  return idShape.test(remembered)
    ? { tenantId: remembered, from: "cookie" }
    : { tenantId: undefined, from: "nowhere" };
}

/** Whether the cookie names a tenant that the reader does not see any more. */
export function isForgotten({ tenantId, from }: ChosenTenant, reader: Reader): boolean {
  // Of more tenants than these, an operator sees the others too.
  if (reader.operator && reader.others.length >= LISTED_TENANTS) return false;
  return from === "cookie" && !tenantsOf(reader).some((one) => one.tenantId === tenantId);
}

/** `tenantId`: undefined forgets it. */
export function rememberTenant(tenantId: string | undefined, url: string): string {
  const kept = tenantId !== undefined && idShape.test(tenantId);
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${COOKIE}=${kept ? tenantId : ""}; Path=/; Max-Age=${kept ? YEAR_S : 0}; HttpOnly; SameSite=Lax${secure}`;
}
