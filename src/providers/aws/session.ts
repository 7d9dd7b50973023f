/**
 * Temporary keys of a role, from STS: with stored keys by a signed AssumeRole, without any by the token of this
 * installation. STS answers JSON to who asks for it.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { type AwsKeys, signAws } from "#providers/auth/sign-aws.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type {
  Failed,
  RequestSpec,
  Session,
  SessionMaker,
  SessionRequest,
} from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { awsConfig, keysIn, roleIn } from "./access.ts";
import { endsSession } from "./read-error.ts";

/** As everybody names it to AWS; the identity provider in the account lists it. */
export const AUDIENCE = "sts.amazonaws.com";
const DEFAULT_SECONDS = 3_600;
const MAX_NAME_LENGTH = 64;

/** A request to STS, signed with these keys for the region of its host; without any it is not signed. */
export function stsRequest(
  action: string,
  parameters: Readonly<Record<string, string>>,
  { keys, region, host = "sts" }: StsSigning = {},
): RequestSpec {
  return {
    method: "POST",
    host,
    path: "/",
    form: { Action: action, Version: "2011-06-15", ...parameters },
    ...(keys !== undefined && { authorize: signedFor("sts", keys, region) }),
  };
}

/** Signs a request to a service, by default for the target's region. */
export function signedFor(
  service: string,
  keys: (context: ProviderContext) => AwsKeys,
  region?: string,
): NonNullable<RequestSpec["authorize"]> {
  return async (request, context) => {
    const signing = { keys: keys(context), service, region: region ?? context.region };
    return (await signAws(request, { ...signing, nowMs: context.now() })).headers;
  };
}

interface StsSigning {
  keys?: (context: ProviderContext) => AwsKeys;
  /** Default: the target's. */
  region?: string;
  host?: "sts" | "stsHome";
}

async function obtain(context: ProviderContext, ask: SessionRequest): Promise<Session | Failed> {
  const { config, identityToken, now } = context;
  const { externalId, durationSeconds = DEFAULT_SECONDS } = awsConfig().parse(config);
  const role = roleIn(config);
  if (role === undefined) {
    const message =
      "The target has neither a credential nor a role. Give it a `credentialRef`, or `roleArn` in its config.";
    return failure("invalid_config", message, { means: "invalid", fault: "user" });
  }
  const assumed = {
    RoleArn: role.arn,
    RoleSessionName: sessionName(context),
    DurationSeconds: String(durationSeconds),
  };
  const answered =
    identityToken === undefined
      ? await ask(
          stsRequest(
            "AssumeRole",
            { ...assumed, ...(externalId === undefined ? {} : { ExternalId: externalId }) },
            { keys: (of) => keysIn(of.credential) },
          ),
        )
      : await ask(
          stsRequest("AssumeRoleWithWebIdentity", {
            ...assumed,
            WebIdentityToken: await identityToken(AUDIENCE),
          }),
        );
  if (!answered.ok) return answered.failed;
  return (
    sessionIn(answered.json, now()) ??
    failure("invalid_answer", "STS answered without keys.", { retryable: true })
  );
}

/** Who acts, as CloudTrail shows it. */
function sessionName({ config, targetId }: ProviderContext): string {
  const { sessionName: given } = awsConfig().parse(config);
  return given ?? `control-${targetId}`.replace(/[^\w+=,.@-]/g, "-").slice(0, MAX_NAME_LENGTH);
}

function sessionIn(json: JsonMap, nowMs: number): Session | undefined {
  const { Credentials } = below(below(json, "Response"), "Result");
  if (!isJsonMap(Credentials)) return undefined;
  const { AccessKeyId, SecretAccessKey, SessionToken, Expiration } = Credentials;
  const expiresMs =
    typeof Expiration === "number"
      ? Expiration * 1000
      : Date.parse(typeof Expiration === "string" ? Expiration : "");
  const texts = [AccessKeyId, SecretAccessKey, SessionToken];
  if (!texts.every((text) => typeof text === "string" && text !== "")) return undefined;
  if (Number.isNaN(expiresMs) || expiresMs <= nowMs) return undefined;
  const token: Json = {
    accessKeyId: AccessKeyId ?? null,
    secretAccessKey: SecretAccessKey ?? null,
    sessionToken: SessionToken ?? null,
  };
  return { kind: "session", token, expiresMs };
}

/** The map under the key with this ending: `AssumeRoleResponse`, `AssumeRoleResult`. */
export function below(map: JsonMap, ending: string): JsonMap {
  const key = Object.keys(map).find((one) => one.endsWith(ending));
  const value = key === undefined ? undefined : map[key];
  return isJsonMap(value) ? value : {};
}

export const awsSession: SessionMaker = {
  needed: ({ config, credential }) => credential === null || roleIn(config) !== undefined,
  scope: ({ config, region }) => {
    const { roleArn, externalId, sessionName: name, durationSeconds } = config;
    return [region, roleArn ?? null, externalId ?? null, name ?? null, durationSeconds ?? null];
  },
  obtain,
  ended: endsSession,
};
