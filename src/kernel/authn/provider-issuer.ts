/** Microsoft Entra has one issuer per tenant: the configured issuer has this in place of the tenant id. */
export const tenantPlaceholder = "{tenantid}";
export const tenantIdShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a provider with this configuration may use this issuer. */
export function isIssuerOf(
  configured: { issuer: string; tenants?: unknown },
  issuer: string,
): boolean {
  const [before = "", after] = configured.issuer.split(tenantPlaceholder);
  if (after === undefined) return issuer === configured.issuer;
  if (!issuer.startsWith(before) || !issuer.endsWith(after)) return false;
  const tenant = issuer.slice(before.length, issuer.length - after.length);
  const { tenants } = configured;
  return (
    tenantIdShape.test(tenant) &&
    (tenants === "any" ||
      (Array.isArray(tenants) && tenants.some((id) => String(id).toLowerCase() === tenant)))
  );
}
