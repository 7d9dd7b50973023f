/** Reads one secret of AWS Secrets Manager with the installation's own key. */
import { isJsonMap, type Json } from "#platform/json.ts";
import { type Answer, send, type TransportRequest } from "#providers/transport.ts";
import { type AwsKeys, signAws } from "./sign-aws.ts";

/** How the outside is reached: `endpoint` replaces the address of AWS. */
export interface SecretAccess {
  env: Readonly<Record<string, unknown>>;
  fetch: (request: Request) => Promise<Response>;
  /** Epoch milliseconds. */
  now: () => number;
  endpoint?: string;
}

/** `retryable`: nothing is known about the secret, and the same request may succeed later. */
export type SecretRead =
  | { ok: true; text: string }
  | { ok: false; problem: string; retryable: boolean };

const TIMEOUT_MS = 10_000;
/** A secret has 64 KiB at most, and the answer escapes it. */
const MAX_BYTES = 512 * 1024;

const refusedKey =
  /^(UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch|IncompleteSignature|MissingAuthenticationToken|ExpiredToken|InvalidAccessKeyId|AuthFailure)/;
const passing =
  /^(Throttling|Throttled|TooManyRequests|RequestLimitExceeded|InternalService|InternalFailure|InternalServer|ServiceUnavailable|RequestTimeout)/;

/** The text of the secret with exactly this name, in its current version. No message contains anything of the value. */
export async function readAwsSecret(name: string, access: SecretAccess): Promise<SecretRead> {
  const settings = settingsOf(access.env);
  if (typeof settings === "string") return unreadable(settings);
  const { keys, region } = settings;
  const suffix = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  const base = access.endpoint ?? `https://secretsmanager.${region}.${suffix}`;
  const request: TransportRequest = {
    method: "POST",
    url: `${base.replace(/\/+$/, "")}/`,
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": "secretsmanager.GetSecretValue",
    },
    body: JSON.stringify({ SecretId: name }),
  };
  let signed: TransportRequest;
  try {
    const nowMs = access.now();
    signed = await signAws(request, { keys, service: "secretsmanager", region, nowMs });
  } catch {
    // No cause: the message may quote a header with the key.
    return unreadable(
      "The requests to AWS Secrets Manager cannot be signed. Ask the operator to correct AWS_SM_ACCESS_KEY_ID, AWS_SM_SECRET_ACCESS_KEY and AWS_SM_SESSION_TOKEN.",
    );
  }
  const credential: Json = { ...keys };
  const { fetch, now } = access;
  const options = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES };
  const answer = await send({ credential, fetch, now }, signed, options);
  if (!answer.ok)
    return answer.sent
      ? unreachable(`it gave no usable answer (${answer.kind})`)
      : unreadable(
          "The requests to AWS Secrets Manager cannot be built. Ask the operator to correct the settings AWS_SM_*.",
        );
  return answer.status === 200
    ? secretIn(answer, name)
    : refusal(answer, `${name} in AWS Secrets Manager (${region})`);
}

/** The key and the region, or what is wrong with the settings. */
function settingsOf(
  env: Readonly<Record<string, unknown>>,
): { keys: AwsKeys; region: string } | string {
  const setting = (name: string): string => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    return typeof value === "string" ? value.trim() : "";
  };
  const names = ["AWS_SM_REGION", "AWS_SM_ACCESS_KEY_ID", "AWS_SM_SECRET_ACCESS_KEY"] as const;
  const missing = names.filter((name) => setting(name) === "");
  if (missing.length > 0)
    return `This installation cannot read AWS Secrets Manager: ${missing.join(", ")} ${missing.length === 1 ? "is" : "are"} not set. Ask the operator, or give the target an env:// credential.`;
  const region = setting("AWS_SM_REGION");
  if (!/^[a-z0-9-]{1,40}$/.test(region))
    return "The setting AWS_SM_REGION is not the name of a region, such as eu-central-1. Ask the operator to correct it.";
  const sessionToken = setting("AWS_SM_SESSION_TOKEN");
  return {
    region,
    keys: {
      accessKeyId: setting("AWS_SM_ACCESS_KEY_ID"),
      secretAccessKey: setting("AWS_SM_SECRET_ACCESS_KEY"),
      ...(sessionToken === "" ? {} : { sessionToken }),
    },
  };
}

/** The name in the answer must be the one that was asked for: AWS also takes ARNs and parts of them. */
function secretIn({ json }: Answer, name: string): SecretRead {
  const { Name, SecretString } = isJsonMap(json) ? json : {};
  if (Name !== name)
    return unreadable(`AWS Secrets Manager answered with another secret than ${name}.`);
  if (typeof SecretString !== "string")
    return unreadable(
      `The secret ${name} has no text. Store the credential as its SecretString, not as binary data.`,
    );
  return { ok: true, text: SecretString };
}

function refusal({ status, json }: Answer, secret: string): SecretRead {
  const type = isJsonMap(json) ? (json["__type"] ?? json["code"]) : undefined;
  const code = /([A-Za-z]{1,80})$/.exec(typeof type === "string" ? type : "")?.[1] ?? "";
  if (status === 429 || status >= 500 || passing.test(code))
    return unreachable(`it answered ${status}${code === "" ? "" : ` ${code}`}`);
  if (code.startsWith("ResourceNotFound"))
    return unreadable(
      `There is no secret ${secret}. Create it, or correct the target's \`credentialRef\`.`,
    );
  if (code.startsWith("AccessDenied"))
    return unreadable(
      `This installation may not read ${secret}. Its key needs the permission secretsmanager:GetSecretValue for it, and kms:Decrypt for a key of your own.`,
    );
  if (code.startsWith("DecryptionFailure"))
    return unreadable(
      `AWS could not decrypt ${secret}. The installation's key needs kms:Decrypt for the key of the secret.`,
    );
  if (code.startsWith("InvalidRequest"))
    return unreadable(
      `${secret} has no current value, or is to be deleted. Restore it or store a value.`,
    );
  if (refusedKey.test(code))
    return unreadable(
      `AWS refuses the installation's own key (${code}). Ask the operator to replace AWS_SM_ACCESS_KEY_ID and AWS_SM_SECRET_ACCESS_KEY.`,
    );
  return unreadable(
    `AWS Secrets Manager answered ${status}${code === "" ? "" : ` ${code}`} for ${secret}.`,
  );
}

function unreadable(problem: string): SecretRead {
  return { ok: false, problem, retryable: false };
}

function unreachable(why: string): SecretRead {
  return {
    ok: false,
    problem: `AWS Secrets Manager cannot be reached now: ${why}.`,
    retryable: true,
  };
}
