import { isIssuerOf, tenantIdShape, tenantPlaceholder } from "#kernel/authn/provider-issuer.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, passed } from "./reason.ts";

type Rule = Pick<OidcProvider, "issuer" | "tenants">;

/**
 * The issuer a token must have. Of a provider with one issuer that is the configured one. Microsoft Entra has one
 * per tenant: the configured issuer with `{tenantid}` in place of which stands the token's `tid`, which must be one
 * of the tenants that are let in: else anybody with a tenant of their own could sign in.
 * https://learn.microsoft.com/entra/identity-platform/access-tokens#validate-the-issuer
 */
export function expectedIssuer(provider: Rule, tid: unknown): Checked<string> {
  const { issuer, tenants } = provider;
  if (tenants === undefined) return passed(issuer);
  if (typeof tid !== "string" || !tenantIdShape.test(tid))
    return failed("token_invalid", "tid is not a tenant's id");
  if (tenants !== "any" && !tenants.includes(tid))
    return failed("token_invalid", "the tenant is not let in");
  return passed(issuer.replace(tenantPlaceholder, tid));
}

/**
 * RFC 9207: the answer names who made it. Without that, of two providers a bad one could have the good one's code
 * sent to it (mix-up). A provider that says that it sends `iss` must; `iss` that was sent must be right in any case.
 */
export function checkResponseIssuer(
  iss: string | undefined,
  provider: Rule,
  isPromised: boolean,
): Checked<void> {
  const wrong = (cause: string) => failed("issuer_mismatch", cause);
  if (iss === undefined) return isPromised ? wrong("iss is missing") : passed(undefined);
  const isOurs = iss === provider.issuer || isIssuerOf(provider, iss);
  return isOurs ? passed(undefined) : wrong("iss is another's");
}
