import { ApiError } from "#platform/errors.ts";
import { isJsonMap, type Json } from "#platform/json.ts";

/**
 * What keeps a target of this owner (a tenant's id, or `platform`) from naming this credential; undefined
 * when it may. The owner is in the name by id and not by slug: `acme` must not reach what is `acme-eu`'s.
 */
export function credentialRefProblem(ref: string, ownerId: string): string | undefined {
  const env = envPrefix(ownerId);
  const secret = secretPrefix(ownerId);
  if (ref.startsWith(env) && /^[A-Za-z0-9_]+$/.test(ref.slice(env.length))) return undefined;
  if (ref.startsWith(secret) && isSecretPath(ref.slice(secret.length))) return undefined;
  return `A credential of this target's owner is ${env}<NAME> (letters, digits and _) or ${secret}<path>.`;
}

/**
 * The credential that a target of this owner refers to: a JSON object or a bare token. For the time of one
 * run: it is not to be stored, shown or logged. `ownerId` is the target's own `tenantId`, whoever deploys to
 * it. Throws `credential_unavailable`, in whose text there is nothing of the value.
 */
export function resolveCredential(
  ref: string,
  ownerId: string,
  env: Readonly<Record<string, unknown>>,
): Json {
  const problem = credentialRefProblem(ref, ownerId);
  if (problem !== undefined) throw unavailable(problem);
  if (!ref.startsWith("env://"))
    throw unavailable(
      "This installation does not read AWS Secrets Manager. Give the target an env:// credential.",
    );
  const name = ref.slice("env://".length);
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (typeof value !== "string" || value.trim() === "")
    throw unavailable(`The Worker has no secret ${name}. The operator has to set it.`);
  const text = value.trim();
  return text.startsWith("{") ? credentialObject(text, name) : bareToken(text, name);
}

function credentialObject(text: string, name: string): Json {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without its cause: the parser's message quotes the secret.
    value = undefined;
  }
  if (!isJsonMap(value))
    throw unavailable(`The secret ${name} begins like a JSON object and is not one.`);
  return value;
}

function bareToken(text: string, name: string): string {
  // A token travels in a header, and a line break there would end it.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text))
    throw unavailable(`The secret ${name} is neither a JSON object nor a token on one line.`);
  return text;
}

function envPrefix(ownerId: string): string {
  return `env://TARGET_${ownerId.replaceAll("-", "").toUpperCase()}_`;
}

function secretPrefix(ownerId: string): string {
  return `aws-sm://control/${ownerId}/`;
}

function isSecretPath(path: string): boolean {
  return path
    .split("/")
    .every((part) => /^[A-Za-z0-9_+=.@-]+$/.test(part) && part !== "." && part !== "..");
}

function unavailable(detail: string): ApiError {
  return new ApiError("credential_unavailable", detail);
}
