import type { OidcProvider } from "./provider-settings.ts";

/**
 * With several issuers, a key may be valid for a single one: Microsoft Entra marks it with `issuer`, which holds the
 * placeholder for a key that signs for all. Without this check, the key of one tenant could sign for another.
 */
export function keySignsFor(
  key: { issuer?: unknown },
  issuer: string,
  provider: Pick<OidcProvider, "issuer" | "tenants">,
): boolean {
  if (provider.tenants === undefined || key.issuer === undefined) return true;
  return key.issuer === issuer || key.issuer === provider.issuer;
}
