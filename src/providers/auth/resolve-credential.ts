import { isJsonMap, type Json } from "#platform/json.ts";
import { credentialRefProblem } from "#providers/credential-ref.ts";
import { readAwsSecret, type SecretAccess, type SecretRead } from "./secrets-manager.ts";

/** `retryable`: where the credential is stored could not be reached, so nothing is known about it. */
export type ResolvedCredential =
  | { ok: true; credential: Json }
  | { ok: false; problem: string; retryable: boolean };

/**
 * Resolves a target's credential reference to a JSON object or a bare token, for use in one run: never store, show or
 * log it, nor keep it for another run. `ownerId` is the target's `tenantId`, whichever tenant deploys to it. On
 * failure, `problem` says why and contains nothing of the value. One request at most; never throws.
 */
export async function resolveCredential(
  ref: string,
  ownerId: string,
  access: SecretAccess,
): Promise<ResolvedCredential> {
  const problem = credentialRefProblem(ref, ownerId);
  if (problem !== undefined) return unavailable(problem);
  const name = ref.slice(ref.indexOf("://") + "://".length);
  const read = ref.startsWith("env://")
    ? readEnvSecret(name, access.env)
    : await readAwsSecret(name, access);
  if (!read.ok) return read;
  const text = read.text.trim();
  if (text === "") return unavailable(`The secret ${name} is empty.`);
  return text.startsWith("{") ? credentialObject(text, name) : bareToken(text, name);
}

function readEnvSecret(name: string, env: Readonly<Record<string, unknown>>): SecretRead {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (typeof value === "string" && value.trim() !== "") return { ok: true, text: value };
  const problem = `The Worker has no secret ${name}. Ask the operator to set it.`;
  return { ok: false, problem, retryable: false };
}

function credentialObject(text: string, name: string): ResolvedCredential {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // No cause: the parser's message quotes the secret.
    value = undefined;
  }
  if (!isJsonMap(value))
    return unavailable(`The secret ${name} starts with { but is not a valid JSON object.`);
  return { ok: true, credential: value };
}

function bareToken(text: string, name: string): ResolvedCredential {
  // A token is sent in a header, which must not contain a line break.
  // oxlint-disable-next-line no-control-regex -- the pattern detects control characters
  if (/[\x00-\x1f\x7f]/.test(text))
    return unavailable(`The secret ${name} is neither a JSON object nor a single-line token.`);
  return { ok: true, credential: text };
}

function unavailable(problem: string): ResolvedCredential {
  return { ok: false, problem, retryable: false };
}
