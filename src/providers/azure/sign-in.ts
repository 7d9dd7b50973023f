/**
 * Sign-in at Microsoft Entra: a client secret, or a token of this installation as the client's assertion, for an access
 * token. `tenantId` and `clientId` stand beside the secret or in the target's config.
 */
import * as z from "zod";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed, Session, SessionMaker, SessionRequest } from "#providers/rest/definition.ts";
import { GUID } from "./arm-id.ts";
import { cloudNames, cloudOf } from "./clouds.ts";

function makeSchemas() {
  const guid = z.string().regex(GUID, { error: "must be a UUID" });
  /** An id, or a domain of the directory. */
  const tenant = z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,7}\.?$/, {
      error: "must be a UUID or a domain",
    });
  const secret = z.string().regex(/^[\x21-\x7e]{1,500}$/, { error: "must be a client secret" });
  return {
    /** A client secret: bare, or with whose it is. `null`: the target has none, and federates. */
    credential: z.union([
      secret,
      z.strictObject({
        tenantId: tenant.optional(),
        clientId: guid.optional(),
        clientSecret: secret,
      }),
      z.null(),
    ]),
    config: z.object({
      /** Absent in a target that is not ready yet. */
      subscriptionId: guid.optional().describe("The id of the subscription to deploy to"),
      resourceGroup: z
        .string()
        .regex(/^[\w().-]{0,89}[\w()-]$/, { error: "must be the name of a resource group" })
        .optional()
        .describe("The resource group of resources that name none"),
      tenantId: tenant.optional().describe("The directory (tenant) of the application"),
      clientId: guid.optional().describe("The client id of the application that signs in"),
      cloud: z.enum(cloudNames).optional().describe("Not set: public"),
      otherScopes: z
        .boolean()
        .optional()
        .describe("Whether templates may name parents and scopes outside the subscription"),
    }),
  };
}

let made: ReturnType<typeof makeSchemas> | undefined;

/** The schemas of a target's credential and config. */
export function azureSchemas(): ReturnType<typeof makeSchemas> {
  return (made ??= makeSchemas());
}

interface Client {
  tenantId: string;
  clientId: string;
  /** Absent: it federates. */
  secret?: string;
}

function clientOf(credential: Json, config: JsonMap): Client | undefined {
  const given = azureSchemas().credential.parse(credential);
  const own = typeof given === "object" && given !== null ? given : undefined;
  const { tenantId = own?.tenantId, clientId = own?.clientId } =
    azureSchemas().config.parse(config);
  const [tenant, client] = [own?.tenantId ?? tenantId, own?.clientId ?? clientId];
  if (tenant === undefined || client === undefined) return undefined;
  const secret = typeof given === "string" ? given : own?.clientSecret;
  return { tenantId: tenant, clientId: client, ...(secret === undefined ? {} : { secret }) };
}

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const DEFAULT_LIFE_S = 300;

function failed(message: string): Failed {
  return {
    kind: "failed",
    code: "invalid_credential",
    message,
    means: "denied",
    fault: "user",
    retryable: false,
    unknownOutcome: false,
  };
}

async function obtain(context: ProviderContext, ask: SessionRequest): Promise<Session | Failed> {
  const { config, credential, identityToken } = context;
  const client = clientOf(credential, config);
  if (client === undefined)
    return failed(
      "Azure needs a tenantId and a clientId. Set them in the target's config, or in the credential beside the clientSecret.",
    );
  if (client.secret === undefined && identityToken === undefined)
    return failed(
      "The target has neither a client secret nor an identity to federate. Set `credentialRef`.",
    );
  const { management, audience } = cloudOf(config);
  const proof: Record<string, string> =
    client.secret === undefined
      ? {
          client_assertion_type: ASSERTION_TYPE,
          client_assertion: (await identityToken?.(audience)) ?? "",
        }
      : { client_secret: client.secret };
  const answered = await ask({
    method: "POST",
    host: "login",
    path: `/${encodeURIComponent(client.tenantId)}/oauth2/v2.0/token`,
    filled: true,
    form: {
      client_id: client.clientId,
      scope: `${management}/.default`,
      grant_type: "client_credentials",
      ...proof,
    },
  });
  if (!answered.ok) return answered.failed;
  const { access_token: token, expires_in: life } = answered.json;
  if (typeof token !== "string" || token === "")
    return { ...failed("Microsoft Entra answered a sign-in without a token."), retryable: true };
  const lifeS = Number(life ?? DEFAULT_LIFE_S);
  return {
    kind: "session",
    token,
    expiresMs: context.now() + (Number.isFinite(lifeS) ? lifeS : DEFAULT_LIFE_S) * 1000,
  };
}

export const azureSession: SessionMaker = {
  scope: ({ config }) => [
    config["cloud"] ?? null,
    config["tenantId"] ?? null,
    config["clientId"] ?? null,
  ],
  obtain,
};
