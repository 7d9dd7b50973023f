import type { Call } from "#kernel/call/call.ts";
import { digestHex } from "#platform/crypto/digest.ts";
import { SealBroken, sealerFrom } from "#platform/crypto/seal.ts";
import type { SignIn } from "#schema/users.ts";
import { clientSecretOf } from "./client-secret.ts";
import { type CallbackAnswer, checkCallback } from "./oidc/check-callback.ts";
import { metadataOf } from "./oidc/discovery.ts";
import { checkResponseIssuer } from "./oidc/expected-issuer.ts";
import type { OidcProvider } from "./oidc/provider-settings.ts";
import { type Checked, failed, passed } from "./oidc/reason.ts";
import { redeemCode } from "./oidc/redeem-code.ts";
import { openSession } from "./open-session.ts";
import { secretsPlace, type SignInSecrets } from "./start-sign-in.ts";
import { takeSignIn } from "./store.ts";

export interface Returning {
  provider: OidcProvider;
  query: URLSearchParams;
  /** The cookie that binds a sign-in to its browser. */
  browser: string | undefined;
  /** The token of the browser's current session. */
  session: string | undefined;
  userAgent: string | undefined;
  redirectUri: string;
  development: boolean;
}

/** The start of a sign-in, to start it again after a failure. */
export interface BegunWith {
  /** An absolute URL, checked when the sign-in started. */
  returnTo: string;
}

type Finished = Checked<{ returnTo: string; token: string }>;

/**
 * Finishes a sign-in when the browser returns: creates the session and answers the URL to redirect to. The sign-in is
 * consumed before the first request to the provider, so a repeated callback, or a callback in another browser, fails.
 */
export async function finishSignIn(
  call: Call,
  asked: Returning,
): Promise<Finished & { begunWith?: BegunWith }> {
  const callback = checkCallback(asked.query);
  if (!callback.ok) return callback;
  if (asked.browser === undefined) return failed("sign_in_unknown", "no cookie");
  const stateDigest = await digestHex(callback.value.state);
  const [[signIn]] = await call.read(
    takeSignIn(call, {
      stateDigest,
      browserDigest: await digestHex(asked.browser),
      provider: asked.provider.id,
    }),
  );
  if (signIn === undefined) return failed("sign_in_unknown", "no such sign-in");
  const secrets = await secretsOf(call, signIn);
  if (secrets === undefined) return failed("sign_in_unknown", "sealed with a key that was removed");
  const finished = await redeemed(call, asked, { signIn, secrets, callback: callback.value });
  return finished.ok ? finished : { ...finished, begunWith: { returnTo: signIn.returnTo } };
}

/** Undefined: the key was removed from the key ring meanwhile. */
async function secretsOf(call: Call, signIn: SignIn): Promise<SignInSecrets | undefined> {
  try {
    const sealer = sealerFrom(call.env.SEALING_KEYS);
    const opened = await sealer.open(signIn.secrets, secretsPlace(signIn.stateDigest));
    return JSON.parse(opened) as SignInSecrets;
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}

async function redeemed(
  call: Call,
  asked: Returning,
  of: { signIn: SignIn; secrets: SignInSecrets; callback: CallbackAnswer },
): Promise<Finished> {
  const { provider, development } = asked;
  const { signIn, secrets, callback } = of;
  const { code, error, iss } = callback;
  if (signIn.issuer !== provider.issuer) return failed("sign_in_unknown", "configured anew");

  const metadata = await metadataOf(provider, { now: call.now, development });
  if (!metadata.ok) return metadata;
  const { authorization_response_iss_parameter_supported: promised } = metadata.value;
  const from = checkResponseIssuer(iss, provider, promised === true);
  if (!from.ok) return from;
  if (code === undefined) return failed("provider_refused", error ?? "no code");

  const identity = await redeemCode({
    provider,
    metadata: metadata.value,
    clientSecret: clientSecretOf(call.env, provider),
    code,
    redirectUri: asked.redirectUri,
    codeVerifier: secrets.codeVerifier,
    nonce: secrets.nonce,
    now: call.now,
    development,
  });
  if (!identity.ok) return identity;
  const token = await openSession(call, {
    identity: identity.value,
    provider: provider.id,
    before: asked.session,
    userAgent: asked.userAgent,
  });
  return passed({ returnTo: signIn.returnTo, token });
}
