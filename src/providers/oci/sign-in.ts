/**
 * What signs requests: the API key of a user, or a session of a service user that this installation's token was
 * exchanged for. A session is a token and the key pair that it was asked for with; both stay in memory.
 */
import { decodeJwt, exportPKCS8, exportSPKI, generateKeyPair } from "jose";
import * as z from "zod";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed, Session, SessionMaker } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import type { TransportRequest } from "#providers/transport.ts";
import { privateKey } from "./private-key.ts";
import { signRequest } from "./sign-request.ts";

const ocid = (kind: string) =>
  z.string().regex(new RegExp(`^ocid1\\.(?:${kind})\\.[a-z0-9]{1,10}\\.[\\w.-]{1,200}$`), {
    error: `must be an OCID that begins with ocid1.${kind.split("|").join(". or ocid1.")}.`,
  });

const ClientSecret = z.strictObject({ clientSecret: z.string().regex(/^[\x21-\x7e]{1,256}$/) });

/**
 * An API key, as Oracle's configuration file has it. The secret of the OAuth client by which the target federates, or
 * `null` where that has none.
 */
export function ociCredential() {
  return z.union([
    z.strictObject({
      tenancyId: ocid("tenancy"),
      userId: ocid("user"),
      fingerprint: z.string().regex(/^[0-9a-f]{2}(?::[0-9a-f]{2}){15}$/, {
        error: "must be the fingerprint of the API key, 16 pairs of digits a-f and 0-9",
      }),
      privateKey: z.string().min(1).max(20_000),
    }),
    ClientSecret,
    z.null(),
  ]);
}

/** The URL of an identity domain. */
const DOMAIN =
  /^https:\/\/idcs-[a-z0-9]{1,64}(?:\.[a-z0-9-]{1,40})?\.identity\.oraclecloud\.com(?::443)?$/;

export function ociConfig() {
  return z.object({
    /** Absent in a target that is not ready yet. */
    compartmentId: ocid("compartment|tenancy")
      .optional()
      .describe("The OCID of the compartment of objects that name none"),
    namespace: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: "must be the tenancy's object storage namespace" })
      .optional()
      .describe("The tenancy's namespace of object storage"),
    domainUrl: z
      .string()
      .regex(DOMAIN, {
        error: "must be an identity domain's URL, https://idcs-….identity.oraclecloud.com",
      })
      .optional()
      .describe(
        "The URL of the identity domain that trusts the tokens of this installation: https://idcs-….identity.oraclecloud.com",
      ),
    clientId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,128}$/, { error: "must be the id of an OAuth client" })
      .optional()
      .describe("The id of the OAuth client there that exchanges them"),
  });
}

/** The client's secret, of a target that federates with one. */
export function clientSecretIn(credential: Json): string | undefined {
  return ClientSecret.safeParse(credential).data?.clientSecret;
}

const DEFAULT_LIFE_MS = 60 * 60_000;

function refused(message: string): Failed {
  return failure("invalid_credential", message, { means: "denied", fault: "user" });
}

function expiryOf(token: string, nowMs: number): number {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? nowMs + DEFAULT_LIFE_MS : exp * 1000;
  } catch {
    return nowMs + DEFAULT_LIFE_MS;
  }
}

async function keyPair(): Promise<{ key: string; publicKey: string }> {
  const pair = await generateKeyPair("RS256", { extractable: true });
  const [key, pem] = await Promise.all([exportPKCS8(pair.privateKey), exportSPKI(pair.publicKey)]);
  return { key, publicKey: pem.replaceAll(/-----[A-Z ]+-----|\s/g, "") };
}

export const ociSession: SessionMaker = {
  needed: ({ credential }) => credential === null || clientSecretIn(credential) !== undefined,
  scope: ({ config }) => [config["domainUrl"] ?? null, config["clientId"] ?? null],
  obtain: async ({ config, credential, identityToken, now }, ask): Promise<Session | Failed> => {
    const { domainUrl, clientId } = ociConfig().parse(config);
    if (identityToken === undefined || domainUrl === undefined || clientId === undefined)
      return refused(
        "The target has neither an API key nor an identity to federate. Set `credentialRef`, or `domainUrl` and `clientId` in its config.",
      );
    const { key, publicKey } = await keyPair();
    const secret = clientSecretIn(credential);
    const basic = `Basic ${btoa(`${clientId}:${secret ?? ""}`)}`;
    const answered = await ask({
      method: "POST",
      host: "domain",
      path: "/oauth2/v1/token",
      form: {
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        requested_token_type: "urn:oci:token-type:oci-upst",
        subject_token_type: "jwt",
        subject_token: await identityToken(domainUrl),
        public_key: publicKey,
        ...(secret === undefined ? { client_id: clientId } : {}),
      },
      ...(secret === undefined ? {} : { authorize: () => ({ authorization: basic }) }),
    });
    if (!answered.ok) return answered.failed;
    const { token } = answered.json;
    const expiresMs = typeof token === "string" ? expiryOf(token, now()) : 0;
    if (typeof token === "string" && token !== "" && expiresMs > now())
      return { kind: "session", token: { token, key }, expiresMs };
    const message = "Oracle answered a sign-in without a token that is valid for some time.";
    return failure("invalid_answer", message, { retryable: true });
  },
};

async function signer(
  credential: Json,
  session: Json | undefined,
): Promise<{ key: CryptoKey; keyId: string }> {
  const { token, key } = isJsonMap(session) ? session : {};
  if (typeof token === "string" && typeof key === "string")
    return { key: await privateKey(key), keyId: `ST$${token}` };
  const apiKey = ociCredential().parse(credential);
  if (apiKey === null || "clientSecret" in apiKey) throw new Error("the target has no API key");
  const { tenancyId, userId, fingerprint, privateKey: pem } = apiKey;
  return { key: await privateKey(pem), keyId: `${tenancyId}/${userId}/${fingerprint}` };
}

/** The headers that sign the request. Throws in words that have nothing of the key. */
export async function authorize(
  request: TransportRequest,
  { credential, session, now }: ProviderContext,
): Promise<Record<string, string>> {
  return signRequest(request, await signer(credential, session), now());
}
