/**
 * Stand-ins for the clouds' token services, one for each way of exchanging a token. Each reads this installation's
 * discovery document and keys anew, verifies the token with another library, and applies a trust policy.
 */
import jsonwebtoken, { type JwtPayload } from "jsonwebtoken";
import { createPublicKey, type JsonWebKey } from "node:crypto";

export type ExchangeStyle = "aws" | "gcp" | "azure" | "oci";

/** The trust policy of an account's owner. `claims`: further required claims. */
export interface TrustPolicy {
  issuer: string;
  audience: string;
  subject: string;
  claims?: Readonly<Record<string, string>>;
}

interface Exchange {
  path: string;
  form: (token: string) => Record<string, string>;
  /** The token in the form of a request. */
  tokenIn: (form: FormData) => unknown;
  answer: (session: string) => unknown;
  refusal: (code: string, message: string) => unknown;
}

export const LIFE_SECONDS = 3_600;

const oauth = {
  answer: (session: string) => ({
    access_token: session,
    token_type: "Bearer",
    expires_in: LIFE_SECONDS,
  }),
  refusal: (code: string, message: string) => ({ error: code, error_description: message }),
};

const exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange";

export const exchanges: Readonly<Record<ExchangeStyle, Exchange>> = {
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRoleWithWebIdentity.html
  aws: {
    path: "/",
    form: (token) => ({ Action: "AssumeRoleWithWebIdentity", WebIdentityToken: token }),
    tokenIn: (form) => form.get("WebIdentityToken"),
    answer: (session) => ({ access_token: session, expires_in: LIFE_SECONDS }),
    refusal: (code, message) => ({ error: code, error_description: message }),
  },
  // https://cloud.google.com/iam/docs/reference/sts/rest/v1/TopLevel/token
  gcp: {
    path: "/v1/token",
    form: (token) => ({ grant_type: exchangeGrant, subject_token: token }),
    tokenIn: (form) => form.get("subject_token"),
    ...oauth,
  },
  // https://learn.microsoft.com/entra/identity-platform/v2-oauth2-client-creds-grant-flow
  azure: {
    path: "/directory/oauth2/v2.0/token",
    form: (token) => ({ grant_type: "client_credentials", client_assertion: token }),
    tokenIn: (form) => form.get("client_assertion"),
    ...oauth,
  },
  // https://docs.oracle.com/en-us/iaas/Content/Identity/api-getstarted/json_web_token_exchange.htm
  oci: {
    path: "/oauth2/v1/token",
    form: (token) => ({ grant_type: exchangeGrant, subject_token: token, public_key: "key" }),
    tokenIn: (form) => form.get("subject_token"),
    ...oauth,
  },
};

type Get = (path: string) => Promise<{ body: unknown }>;

export class TokenService {
  readonly #style: ExchangeStyle;
  readonly #read: Get;
  trust: TrustPolicy;
  /** The received tokens, in order. */
  readonly seen: string[] = [];
  /** The claims of the token, by the session given for it. */
  readonly sessions = new Map<string, JwtPayload>();

  /** `read`: a GET at the issuer, by path. */
  constructor(style: ExchangeStyle, trust: TrustPolicy, read: Get) {
    this.#style = style;
    this.trust = trust;
    this.#read = read;
  }

  async answer(request: Request): Promise<Response> {
    const exchange = exchanges[this.#style];
    if (new URL(request.url).pathname !== exchange.path) return new Response(null, { status: 404 });
    const token = exchange.tokenIn(await request.formData());
    if (typeof token !== "string")
      return Response.json(exchange.refusal("invalid_request", "There is no token."), {
        status: 400,
      });
    this.seen.push(token);
    try {
      const claims = await this.verify(token);
      const session = `canary-session-${crypto.randomUUID()}`;
      this.sessions.set(session, claims);
      return Response.json(exchange.answer(session));
    } catch (error) {
      // Some clouds quote the request.
      const message = `${(error as Error).message} (${token})`;
      return Response.json(exchange.refusal("invalid_grant", message), { status: 401 });
    }
  }

  /** The claims of a token that the policy accepts. Throws a cloud's refusal. */
  async verify(token: string): Promise<JwtPayload> {
    const { issuer, audience, subject, claims = {} } = this.trust;
    const discovery = (await this.#read("/.well-known/openid-configuration")).body as {
      issuer: string;
      jwks_uri: string;
    };
    if (discovery.issuer !== issuer) throw new Error("The issuer is another one.");
    const { keys } = (await this.#read(new URL(discovery.jwks_uri).pathname)).body as {
      keys: (JsonWebKey & { kid: string })[];
    };
    const { kid } = jsonwebtoken.decode(token, { complete: true })?.header ?? {};
    const jwk = keys.find((key) => key.kid === kid);
    if (jwk === undefined) throw new Error("The signing key is unknown.");
    const verified = jsonwebtoken.verify(token, createPublicKey({ key: jwk, format: "jwk" }), {
      algorithms: ["RS256"],
      issuer,
      audience,
      complete: false,
    }) as JwtPayload;
    if (verified.sub !== subject) throw new Error("The subject does not match.");
    if ((verified.exp ?? Infinity) - (verified.nbf ?? 0) > 600)
      throw new Error("The token lives too long.");
    for (const [name, value] of Object.entries(claims))
      if (verified[name] !== value)
        throw new Error(`The attribute condition on ${name} does not hold.`);
    return verified;
  }
}
