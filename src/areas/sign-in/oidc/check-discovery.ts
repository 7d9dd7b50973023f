import type { AuthorizationServer } from "oauth4webapi";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, passed } from "./reason.ts";
import { isSafeUrl } from "./safe-url.ts";

export type Metadata = AuthorizationServer & {
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
};

/**
 * The document's issuer must equal the configured one exactly: otherwise a provider that claims to be another, or a
 * document planted at its address, could pass its own users off as the other's. OpenID Connect Discovery 1.0, 4.3. The
 * endpoints may be on any host, but must use TLS.
 */
export function checkDiscovery(
  document: unknown,
  { issuer }: Pick<OidcProvider, "issuer">,
  development: boolean,
): Checked<Metadata> {
  const bad = (cause: string) => failed("provider_unreachable", `discovery: ${cause}`);
  if (typeof document !== "object" || document === null || Array.isArray(document))
    return bad("not an object");
  const metadata = document as Record<string, unknown>;
  if (metadata["issuer"] !== issuer) return bad("the issuer is not the configured one");
  for (const name of ["authorization_endpoint", "token_endpoint", "jwks_uri"]) {
    const url = metadata[name];
    if (typeof url !== "string" || !isSafeUrl(url, development)) return bad(`${name} is not https`);
  }
  const userInfo = metadata["userinfo_endpoint"];
  if (userInfo !== undefined && !(typeof userInfo === "string" && isSafeUrl(userInfo, development)))
    return bad("userinfo_endpoint is not https");
  const methods = metadata["code_challenge_methods_supported"];
  if (Array.isArray(methods) && !methods.includes("S256")) return bad("no PKCE with S256");
  return passed(metadata as unknown as Metadata);
}
