import type { OidcProvider } from "./provider-settings.ts";

/**
 * Of a provider with many issuers, a key may sign for one of them alone: Microsoft Entra says so with `issuer` at
 * the key, with the placeholder in it at a key that signs for all. Without this, what signs for one tenant could
 * sign for another.
 */
export function keySignsFor(
  key: { issuer?: unknown },
  issuer: string,
  provider: Pick<OidcProvider, "issuer" | "tenants">,
): boolean {
  if (provider.tenants === undefined || key.issuer === undefined) return true;
  return key.issuer === issuer || key.issuer === provider.issuer;
}
