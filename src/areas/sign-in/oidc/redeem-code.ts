/**
 * Exchanges the code for an identity: the token request, the ID token and, if it lacks claims, the user information.
 * `oauth4webapi` implements the protocol and verifies the signature; the checks that it leaves out are here. The first
 * request consumes the code, so nothing is retried.
 */
import * as oauth from "oauth4webapi";
import { askProvider } from "./ask-provider.ts";
import { checkAtHash } from "./check-at-hash.ts";
import type { Metadata } from "./check-discovery.ts";
import { checkIdToken, type Claims, SKEW_SECONDS } from "./check-id-token.ts";
import { keySignsFor } from "./check-key-issuer.ts";
import { checkUserInfo } from "./check-user-info.ts";
import { type Jwk, keysOf } from "./discovery.ts";
import { expectedIssuer } from "./expected-issuer.ts";
import { type Identity, identityOf } from "./identity.ts";
import type { OidcProvider } from "./provider-settings.ts";
import { type Checked, failed, type Failure, passed } from "./reason.ts";
import { tokenParts } from "./token-parts.ts";

export interface Redemption {
  provider: OidcProvider;
  metadata: Metadata;
  /** The value of the provider's secret; undefined for a client without one. */
  clientSecret: string | undefined;
  code: string;
  redirectUri: string;
  codeVerifier: string;
  nonce: string;
  /** Epoch milliseconds. */
  now: number;
  development: boolean;
}

export async function redeemCode(asked: Redemption): Promise<Checked<Identity>> {
  const { provider, metadata, now, development } = asked;
  const outside = new Outside(development);
  const client: oauth.Client = {
    client_id: provider.clientId,
    [oauth.clockTolerance]: SKEW_SECONDS,
  };
  try {
    const answer = await oauth.authorizationCodeGrantRequest(
      metadata,
      client,
      clientAuthentication(asked),
      oauth.validateAuthResponse(
        { issuer: metadata.issuer },
        client,
        new URLSearchParams({ code: asked.code }),
        oauth.skipStateCheck,
      ),
      asked.redirectUri,
      asked.codeVerifier,
      outside.options,
    );
    if (answer.status !== 200) return failed("code_refused", await refusalIn(answer));

    const parts = tokenParts(await idTokenIn(answer.clone()));
    if (!parts.ok) return parts;
    const { header, claims } = parts.value;
    const issuer = expectedIssuer(provider, claims["tid"]);
    if (!issuer.ok) return issuer;
    const checked = checkIdToken(header, claims, {
      issuer: issuer.value,
      clientId: provider.clientId,
      nonce: asked.nonce,
      algorithms: provider.algorithms,
      now,
    });
    if (!checked.ok) return checked;

    const kid = typeof header["kid"] === "string" ? header["kid"] : undefined;
    const keys = await keysOf(metadata, kid, { now, development });
    if (!keys.ok) return keys;
    const usableOf = (all: readonly Jwk[]) =>
      all.filter((key) => keySignsFor(key, issuer.value, provider));
    if (!usableOf(keys.value).some((key) => kid === undefined || key.kid === kid))
      return failed("key_unknown", "kid");

    const server = { ...metadata, issuer: issuer.value };
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      { ...client, id_token_signed_response_alg: checked.value.algorithm },
      answer,
      { expectedNonce: asked.nonce, requireIdToken: true },
    );
    await verifySignature(answer, server, keys.value, {
      usableOf,
      readAgain: () => keysOf(metadata, kid, { now, development, refused: keys.value }),
    });
    const bound = await checkAtHash(claims["at_hash"], tokens.access_token);
    if (!bound.ok) return bound;

    const who = { issuer: issuer.value, subject: checked.value.subject };
    const said = await whatIsSaid(claims, tokens.access_token, { asked, who, server });
    return said.ok ? passed(identityOf(who, said.value, provider.trustedForEmail)) : said;
  } catch (error) {
    if (outside.failure !== undefined) return outside.failure;
    if (error instanceof oauth.ResponseBodyError) return failed("code_refused", error.error);
    const cause = error instanceof Error ? error.message : "failed";
    return failed("token_invalid", cause);
  }
}

/** Throws unless one of the keys, or of those that the provider has now, verifies the answer's ID token. */
async function verifySignature(
  answer: Response,
  server: oauth.AuthorizationServer,
  keys: readonly Jwk[],
  of: {
    usableOf: (all: readonly Jwk[]) => Jwk[];
    readAgain: () => Promise<Checked<readonly Jwk[]>>;
  },
): Promise<void> {
  const verify = (all: readonly Jwk[]) =>
    oauth.validateApplicationLevelSignature({ ...server }, answer, {
      // Our cached keys, declared fresh, and a copy of the server, by which the library remembers keys:
      // discovery.ts alone decides when keys are fetched.
      [oauth.customFetch]: () => Promise.reject(new Error("the keys must not be fetched here")),
      [oauth.jwksCache]: {
        jwks: { keys: of.usableOf(all) },
        uat: Math.floor(Date.now() / 1000),
      },
    });
  try {
    await verify(keys);
  } catch (error) {
    // The provider may have given a new key the name of the one that is cached.
    const newer = await of.readAgain();
    if (!newer.ok || newer.value === keys) throw error;
    await verify(newer.value);
  }
}

/** Sends the library's requests under our limits, and keeps the reason of a failure. */
class Outside {
  failure: Failure | undefined;
  readonly options: {
    [oauth.customFetch]: (url: string, init: RequestInit) => Promise<Response>;
    [oauth.allowInsecureRequests]: boolean;
  };

  constructor(development: boolean) {
    this.options = {
      // safe-url.ts decides which addresses are safe, for every request.
      [oauth.allowInsecureRequests]: development,
      [oauth.customFetch]: async (url, init) => {
        const answer = await askProvider(url, init, development);
        if (answer.ok) return answer.value;
        this.failure = answer;
        throw new Error(answer.cause);
      },
    };
  }
}

function clientAuthentication({ provider, clientSecret }: Redemption): oauth.ClientAuth {
  if (provider.tokenEndpointAuthMethod === "none") return oauth.None();
  const secret = clientSecret ?? "";
  return provider.tokenEndpointAuthMethod === "client_secret_post"
    ? oauth.ClientSecretPost(secret)
    : oauth.ClientSecretBasic(secret);
}

async function idTokenIn(answer: Response): Promise<unknown> {
  try {
    const body: { id_token?: unknown } = await answer.json();
    return body.id_token;
  } catch {
    return undefined;
  }
}

/** `error` of the provider's refusal, from a closed list. Its description is ignored: it can contain anything. */
async function refusalIn(answer: Response): Promise<string> {
  try {
    const { error } = (await answer.json()) as { error?: unknown };
    if (typeof error === "string" && /^[a-z_]{1,60}$/.test(error)) return error;
  } catch {
    // Not JSON: the status is reported instead.
  }
  return `status ${answer.status}`;
}

/**
 * The claims about the person, from the ID token or, if it lacks claims about the address, from the user information.
 * Okta has the address in the token, but `email_verified` only in the user information.
 * https://support.okta.com/help/s/article/how-to-return-the-email-verified-claim
 */
async function whatIsSaid(
  claims: Claims,
  accessToken: string,
  of: { asked: Redemption; who: { subject: string }; server: oauth.AuthorizationServer },
): Promise<Checked<Claims>> {
  const url = of.server.userinfo_endpoint;
  const wanted = of.asked.provider.trustedForEmail ? ["email", "email_verified"] : ["email"];
  if (url === undefined || wanted.every((name) => claims[name] !== undefined))
    return passed(claims);
  const headers = { accept: "application/json", authorization: `Bearer ${accessToken}` };
  const answer = await askProvider(url, { headers }, of.asked.development);
  if (!answer.ok) return answer;
  if (answer.value.status !== 200)
    return failed("user_info_invalid", `status ${answer.value.status}`);
  const info = await answer.value.json().catch(() => undefined);
  const checked = checkUserInfo(info, of.who.subject);
  // The address and `email_verified` must come from the same source: the ID token may verify another address.
  return checked.ok ? passed({ name: claims["name"], ...checked.value }) : checked;
}
