import { TimeSpan } from "oslo";
import { generateCodeVerifier, generateState, OAuth2Client } from "oslo/oauth2";
import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { sealerFrom } from "#platform/crypto/seal.ts";
import { PLATFORM } from "#platform/ids.ts";
import { lacksSecret } from "./client-secret.ts";
import { metadataOf } from "./oidc/discovery.ts";
import type { OidcProvider } from "./oidc/provider-settings.ts";
import { type Checked, failed, passed } from "./oidc/reason.ts";
import { insertSignIn } from "./store.ts";

export const SIGN_IN_TIME = new TimeSpan(10, "m");

/** Stored until the browser returns, and sealed: a copy of the database does not reveal them. */
export interface SignInSecrets {
  nonce: string;
  codeVerifier: string;
}

/** The place to which a sign-in's secrets are sealed. */
export function secretsPlace(stateDigest: string) {
  return { table: "sign_ins", tenantId: PLATFORM, row: stateDigest, column: "secrets" };
}

/**
 * Returns the URL to redirect the browser to. `browser`: the cookie that binds the sign-in to the browser,
 * 256 random bits. Each sign-in has its own state, nonce and verifier; simultaneous sign-ins of one browser
 * share the cookie.
 */
export async function startSignIn(
  call: Call,
  asked: {
    provider: OidcProvider;
    /** A checked, absolute URL. */
    returnTo: string;
    browser: string;
    redirectUri: string;
    development: boolean;
  },
): Promise<Checked<URL>> {
  const { provider, redirectUri, development } = asked;
  if (lacksSecret(call.env, provider)) return failed("not_configured", "no secret");
  const metadata = await metadataOf(provider, { now: call.now, development });
  if (!metadata.ok) return metadata;
  const [state, nonce, codeVerifier] = [generateState(), generateState(), generateCodeVerifier()];
  const stateDigest = await digestHex(state);
  const secrets: SignInSecrets = { nonce, codeVerifier };
  const sealer = sealerFrom(call.env.SEALING_KEYS);
  await call.commitUnaudited(undefined, [
    insertSignIn(call, {
      stateDigest,
      browserDigest: await digestHex(asked.browser),
      provider: provider.id,
      issuer: provider.issuer,
      returnTo: asked.returnTo,
      secrets: await sealer.seal(JSON.stringify(secrets), secretsPlace(stateDigest)),
      expiresAtMs: call.now + SIGN_IN_TIME.milliseconds(),
    }),
  ]);
  const { authorization_endpoint, token_endpoint } = metadata.value;
  const client = new OAuth2Client(provider.clientId, authorization_endpoint, token_endpoint, {
    redirectURI: redirectUri,
  });
  const url = await client.createAuthorizationURL({
    state,
    codeVerifier,
    codeChallengeMethod: "S256",
    scopes: provider.scopes,
  });
  url.searchParams.set("nonce", nonce);
  return passed(url);
}
