/**
 * Sign-in at Google: a service account's key signs an assertion, or a token of this installation is exchanged, for an
 * access token. Requests go to Google's own hosts, whatever a key file names.
 */
import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed, Session, SessionMaker, SessionRequest } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

const once = <T>(make: () => T): (() => T) => {
  let made: T | undefined;
  return () => (made ??= make());
};

const serviceAccount = () =>
  z.string().regex(/^[\w.+-]{1,100}@[a-z0-9.-]{1,150}$/, {
    error: "must be the address of a service account",
  });

/** The key file of a service account. `null`: the target has none, and federates. */
export const gcpCredential = once(() =>
  z.union([
    z.looseObject({
      type: z.literal("service_account"),
      client_email: serviceAccount(),
      private_key: z.string().startsWith("-----BEGIN PRIVATE KEY-----"),
      private_key_id: z.string().max(200).optional(),
    }),
    z.null(),
  ]),
);

export const gcpConfig = once(() =>
  z.object({
    /** Absent in a target that is not ready yet. */
    project: z
      .string()
      .regex(/^(?:[a-z0-9.-]{1,100}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, {
        error: "must be the id of a project, not its number",
      })
      .optional()
      .describe("The id of the project to deploy to, not its number"),
    zone: z
      .string()
      .regex(/^[a-z0-9]+(?:-[a-z0-9]+)+$/, { error: "must be a zone" })
      .optional()
      .describe("The zone of objects that name none, such as europe-west1-b"),
    workloadIdentityProvider: z
      .string()
      .regex(PROVIDER, {
        error:
          "must be projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>",
      })
      .optional()
      .describe(
        "What trusts the tokens of this installation: projects/<number>/locations/global/workloadIdentityPools/<pool>/providers/<provider>",
      ),
    serviceAccount: serviceAccount()
      .optional()
      .describe("The email of the service account that these tokens may act as"),
  }),
);

/** The name of a provider of a workload identity pool. */
export const PROVIDER =
  /^projects\/(?<number>[0-9]{1,20})\/locations\/global\/workloadIdentityPools\/(?<pool>[a-z0-9-]{4,32})\/providers\/(?<provider>[a-z0-9-]{4,32})$/;

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
/** As Google wants it, wherever the request goes. */
const TOKEN_AUDIENCE = "https://oauth2.googleapis.com/token";
const LIFE_S = 3_600;

/** The audience of this installation's token: the provider that Google asks by default. */
export function audienceOf(provider: string): string {
  return `https://iam.googleapis.com/${provider}`;
}

/** The assertion of a service account (RFC 7523), which Google exchanges for an access token. */
export async function assertionOf(
  key: { client_email: string; private_key: string; private_key_id?: string | undefined },
  nowMs: number,
): Promise<string> {
  const nowS = Math.floor(nowMs / 1000);
  const { client_email: iss, private_key: pem, private_key_id: kid } = key;
  const claims = { iss, scope: SCOPE, aud: TOKEN_AUDIENCE, iat: nowS, exp: nowS + LIFE_S };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...(kid === undefined ? {} : { kid }) })
    .sign(await importPKCS8(pem, "RS256"));
}

function refused(message: string): Failed {
  return failure("invalid_credential", message, { means: "denied", fault: "user" });
}

function sessionOf(token: Json | undefined, lifeMs: number, nowMs: number): Session | Failed {
  if (typeof token === "string" && token !== "" && Number.isFinite(lifeMs) && lifeMs > 0)
    return { kind: "session", token, expiresMs: nowMs + lifeMs };
  const message = "Google answered a sign-in without a token that is valid for some time.";
  return failure("invalid_answer", message, { retryable: true });
}

function lifeMsOf({ expires_in: life }: JsonMap): number {
  return Number(life ?? LIFE_S) * 1000;
}

async function withKey(
  key: NonNullable<z.infer<ReturnType<typeof gcpCredential>>>,
  { now }: ProviderContext,
  ask: SessionRequest,
): Promise<Session | Failed> {
  let assertion: string;
  try {
    assertion = await assertionOf(key, now());
  } catch {
    return refused(
      "The private_key of the service account's key cannot be read. Store the whole key file as Google gave it.",
    );
  }
  const answered = await ask({
    method: "POST",
    host: "oauth2",
    path: "/token",
    form: { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion },
  });
  if (!answered.ok) return answered.failed;
  return sessionOf(answered.json["access_token"], lifeMsOf(answered.json), now());
}

async function federated(context: ProviderContext, ask: SessionRequest): Promise<Session | Failed> {
  const { config, identityToken, now } = context;
  const { workloadIdentityProvider: provider, serviceAccount } = gcpConfig().parse(config);
  if (identityToken === undefined || provider === undefined)
    return refused(
      "The target has neither a service account's key nor an identity to federate. Set `credentialRef`, or `workloadIdentityProvider` and `serviceAccount` in its config.",
    );
  const exchanged = await ask({
    method: "POST",
    host: "sts",
    path: "/v1/token",
    form: {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: `//iam.googleapis.com/${provider}`,
      scope: SCOPE,
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
      subject_token: await identityToken(audienceOf(provider)),
    },
  });
  if (!exchanged.ok) return exchanged.failed;
  const session = sessionOf(exchanged.json["access_token"], lifeMsOf(exchanged.json), now());
  if (session.kind === "failed" || serviceAccount === undefined) return session;
  const exchangedToken = typeof session.token === "string" ? session.token : "";
  const account = await ask({
    method: "POST",
    host: "iamcredentials",
    path: `/v1/projects/-/serviceAccounts/${encodeURIComponent(serviceAccount)}:generateAccessToken`,
    filled: true,
    headers: { authorization: `Bearer ${exchangedToken}` },
    body: { scope: [SCOPE], lifetime: `${LIFE_S}s` },
  });
  if (!account.ok) return account.failed;
  const { accessToken, expireTime } = account.json;
  const endMs = Date.parse(typeof expireTime === "string" ? expireTime : "");
  return sessionOf(accessToken, endMs - now(), now());
}

export const gcpSession: SessionMaker = {
  scope: ({ config }) => [
    config["workloadIdentityProvider"] ?? null,
    config["serviceAccount"] ?? null,
  ],
  obtain: async (context, ask) => {
    const key = gcpCredential().parse(context.credential);
    return key === null ? federated(context, ask) : withKey(key, context, ask);
  },
};
