import { isJsonMap, type Json } from "#platform/json.ts";
import { credentialRefProblem } from "#providers/credential-ref.ts";

export type ResolvedCredential = { ok: true; credential: Json } | { ok: false; problem: string };

/**
 * Resolves a target's credential reference to a JSON object or a bare token, for use in one run: never store, show or
 * log it. `ownerId` is the target's `tenantId`, whichever tenant deploys to it. On failure, `problem` says why and
 * contains nothing of the value.
 */
export function resolveCredential(
  ref: string,
  ownerId: string,
  env: Readonly<Record<string, unknown>>,
): ResolvedCredential {
  const problem = credentialRefProblem(ref, ownerId);
  if (problem !== undefined) return unavailable(problem);
  if (!ref.startsWith("env://"))
    return unavailable(
      "This installation does not read AWS Secrets Manager. Give the target an env:// credential.",
    );
  const name = ref.slice("env://".length);
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (typeof value !== "string" || value.trim() === "")
    return unavailable(`The Worker has no secret ${name}. Ask the operator to set it.`);
  const text = value.trim();
  return text.startsWith("{") ? credentialObject(text, name) : bareToken(text, name);
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
  return { ok: false, problem };
}
