/**
 * From the code to who signed in: the token request, the ID token, and, where that says too little, the user
 * information. `oauth4webapi` speaks the protocol and verifies the signature; what it lets pass is checked here
 * besides, before and after. The code is spent with the first request, so nothing here is tried again.
 */
import * as oauth from "oauth4webapi";
import { askProvider } from "./ask-provider.ts";
import { checkAtHash } from "./check-at-hash.ts";
import type { Metadata } from "./check-discovery.ts";
import { checkIdToken, type Claims, SKEW_SECONDS } from "./check-id-token.ts";
import { keySignsFor } from "./check-key-issuer.ts";
import { checkUserInfo } from "./check-user-info.ts";
import { keysOf } from "./discovery.ts";
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
    const usable = keys.value.filter((key) => keySignsFor(key, issuer.value, provider));
    if (!usable.some((key) => kid === undefined || key.kid === kid))
      return failed("key_unknown", "kid");

    const server = { ...metadata, issuer: issuer.value };
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      { ...client, id_token_signed_response_alg: checked.value.algorithm },
      answer,
      { expectedNonce: asked.nonce, requireIdToken: true },
    );
    await oauth.validateApplicationLevelSignature(server, answer, {
      // Ours, and said to be new: which keys are fetched, and when, is decided in discovery.ts alone.
      [oauth.customFetch]: () => Promise.reject(new Error("there is nothing to fetch")),
      [oauth.jwksCache]: {
        jwks: { keys: usable },
        uat: Math.floor(Date.now() / 1000),
      },
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

/** The library's requests, by our rules. It throws what `fetch` throws: why, is kept. */
class Outside {
  failure: Failure | undefined;
  readonly options: {
    [oauth.customFetch]: (url: string, init: RequestInit) => Promise<Response>;
    [oauth.allowInsecureRequests]: boolean;
  };

  constructor(development: boolean) {
    this.options = {
      // Which addresses are safe is decided in safe-url.ts, for every request.
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

/** `error` of the provider's refusal, which is of a closed list; its description may say anything. */
async function refusalIn(answer: Response): Promise<string> {
  try {
    const { error } = (await answer.json()) as { error?: unknown };
    if (typeof error === "string" && /^[a-z_]{1,60}$/.test(error)) return error;
  } catch {
    // Told by its status.
  }
  return `status ${answer.status}`;
}

/**
 * What the provider says of the person: in the ID token or, where that says too little of the address, when it is asked.
 * Okta names the address in the token and says whether it is verified only when asked.
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
  // The address and its proof from one place: what the ID token calls verified may be another address.
  return checked.ok ? passed({ name: claims["name"], ...checked.value }) : checked;
}
