/**
 * `/.well-known/openid-configuration` and `/.well-known/jwks.json`: the documents that clouds read to trust the tokens
 * of runs. Public, and made from the settings alone: the address of the request says nothing about the issuer.
 */
import { problemResponse } from "#http/problem.ts";
import { enforceRateLimit, networkOf } from "#http/rate-limit.ts";
import type { RequestState } from "#http/request-call.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import type { IdentityKeys } from "#kernel/identity/identity-keys.ts";
import { ownClaims } from "#kernel/identity/run-token.ts";
import { tokenIssuerWithKeys } from "#kernel/identity/token-issuer.ts";

/** The parts of a request that the documents need. */
interface IssuerRequest {
  env: Bindings;
  req: { path: string; header: (name: string) => string | undefined };
  var: Pick<RequestState, "now" | "requestId">;
}

/**
 * The time for which a cloud may keep a document. A new key signs only after it was published for longer
 * (docs/federation.md).
 */
const MAX_AGE_SECONDS = 300;
export const JWKS_PATH = "/.well-known/jwks.json";

/** OpenID Connect Discovery 1.0, section 4.2: the members for an issuer without sign-in. */
function discoveryDocument(url: string) {
  return {
    issuer: url,
    jwks_uri: `${url}${JWKS_PATH}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid"],
    claims_supported: ["iss", "sub", "aud", "exp", "nbf", "iat", "jti", ...ownClaims],
  };
}

export async function serveDiscovery(request: IssuerRequest): Promise<Response> {
  return serve(request, ({ url }) => discoveryDocument(url));
}

export async function serveIdentityKeys(request: IssuerRequest): Promise<Response> {
  return serve(request, ({ keys }) => ({ keys: keys.published }));
}

async function serve(
  { env, req, var: { now, requestId } }: IssuerRequest,
  documentOf: (issuer: { url: string; keys: IdentityKeys }) => unknown,
): Promise<Response> {
  const address = networkOf(req.header("cf-connecting-ip") ?? "local");
  if (env.RATE_LIMITS !== "off")
    await enforceRateLimit(env, `issuer:${address}`, now, () => undefined);
  const issuer = await tokenIssuerWithKeys(env);
  if (!issuer.ok)
    return problemResponse(
      new ApiError(
        "not_found",
        "This installation issues no tokens for its runs. Its operator has to set PUBLIC_URL and IDENTITY_KEYS.",
      ),
      { path: req.path, requestId },
    );
  return Response.json(documentOf(issuer), {
    headers: {
      "cache-control": `public, max-age=${MAX_AGE_SECONDS}`,
      "access-control-allow-origin": "*",
    },
  });
}
