/**
 * The federation of a fake cloud: it accepts the tokens of one target of one installation. Like a real cloud, it reads
 * the installation's documents, and verifies tokens with a library.
 */
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from "jose";

/** The default address of `npm start`. */
const ISSUER = "http://127.0.0.1:8787";
const DOCUMENTS_WITHIN_MS = 5_000;

export interface Distrust {
  /** The part of the trust that does not match; `unset`: there is no trust. */
  of: "unset" | "issuer" | "audience" | "subject" | "token";
  says: string;
}

export type Trust = (token: string) => Promise<Distrust | undefined>;

/** The reason against a token, by the trust in `variables`; undefined: it is accepted. */
export function fakeTrust(
  audience: string,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Trust {
  const { ISSUER: issuer = ISSUER, TRUST_SUBJECT: subject } = variables;
  return async (token) => {
    if (subject === undefined || subject === "")
      return {
        of: "unset",
        says: "This fake cloud trusts nobody. Start it again with TRUST_SUBJECT set to the text that `identity` of the target has as `subject`.",
      };
    let keys: JSONWebKeySet;
    try {
      keys = await keysOf(issuer);
    } catch (error) {
      const says = `The documents of the issuer ${issuer} cannot be read (${String(error)}). Start the fake cloud with ISSUER set to the text that \`identity\` of the target has as \`issuer\`.`;
      return { of: "issuer", says };
    }
    try {
      await jwtVerify(token, createLocalJWKSet(keys), {
        algorithms: ["RS256"],
        issuer,
        audience,
        subject,
        requiredClaims: ["exp"],
      });
      return undefined;
    } catch (error) {
      return distrustOf(error, { issuer, audience, subject });
    }
  };
}

async function keysOf(issuer: string): Promise<JSONWebKeySet> {
  const read = async (url: string): Promise<unknown> => {
    const answer = await fetch(url, { signal: AbortSignal.timeout(DOCUMENTS_WITHIN_MS) });
    if (!answer.ok) throw new Error(`${url} answers ${answer.status}`);
    return answer.json();
  };
  const discovery = await read(`${issuer}/.well-known/openid-configuration`);
  const { issuer: said, jwks_uri: keys } = discovery as { issuer?: unknown; jwks_uri?: unknown };
  if (said !== issuer) throw new Error(`they are those of ${JSON.stringify(said)}`);
  return (await read(String(keys))) as JSONWebKeySet;
}

function distrustOf(
  error: unknown,
  trusted: Readonly<Record<"issuer" | "audience" | "subject", string>>,
): Distrust {
  const claims = { iss: "issuer", aud: "audience", sub: "subject" } as const;
  const claim = error instanceof errors.JWTClaimValidationFailed ? error.claim : "";
  if (claim === "iss" || claim === "aud" || claim === "sub") {
    const of = claims[claim];
    return { of, says: `The ${of} of the token is not the one that is trusted, ${trusted[of]}.` };
  }
  return { of: "token", says: `The token is not valid: ${String(error)}` };
}
