import { isIssuerOf, tenantIdShape, tenantPlaceholder } from "#kernel/authn/provider-issuer.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, passed } from "./reason.ts";

type Rule = Pick<OidcProvider, "issuer" | "tenants">;

/**
 * The issuer that a token must have: usually the configured one. Microsoft Entra has one issuer per tenant:
 * the configured one with `{tenantid}` replaced by the token's `tid`, which must be an allowed tenant.
 * Otherwise anybody with a tenant of their own could sign in.
 * https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-issuer
 */
export function expectedIssuer(provider: Rule, tid: unknown): Checked<string> {
  const { issuer, tenants } = provider;
  if (tenants === undefined) return passed(issuer);
  if (typeof tid !== "string" || !tenantIdShape.test(tid))
    return failed("token_invalid", "tid is not a tenant id");
  if (tenants !== "any" && !tenants.includes(tid))
    return failed("token_invalid", "the tenant is not allowed");
  return passed(issuer.replace(tenantPlaceholder, tid));
}

/**
 * RFC 9207: the answer names its issuer. Otherwise a malicious provider could obtain the code of another one (mix-up
 * attack). A provider that announces `iss` must send it, and any `iss` must be right.
 */
export function checkResponseIssuer(
  iss: string | undefined,
  provider: Rule,
  isPromised: boolean,
): Checked<void> {
  const wrong = (cause: string) => failed("issuer_mismatch", cause);
  if (iss === undefined) return isPromised ? wrong("iss is missing") : passed(undefined);
  const isOurs = iss === provider.issuer || isIssuerOf(provider, iss);
  return isOurs ? passed(undefined) : wrong("iss is another issuer");
}
