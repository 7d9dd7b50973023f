import { isJsonMap, type Json } from "#platform/json.ts";
import { credentialRefProblem } from "#providers/credential-ref.ts";

export type ResolvedCredential = { ok: true; credential: Json } | { ok: false; problem: string };

/**
 * The credential that a target of this owner refers to: a JSON object or a bare token. For the time of one
 * run: it is not to be stored, shown or logged. `ownerId` is the target's own `tenantId`, whoever deploys to
 * it. When it cannot be had, `problem` says why, with nothing of the value in it.
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
    return unavailable(`The Worker has no secret ${name}. The operator has to set it.`);
  const text = value.trim();
  return text.startsWith("{") ? credentialObject(text, name) : bareToken(text, name);
}

function credentialObject(text: string, name: string): ResolvedCredential {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Without its cause: the parser's message quotes the secret.
    value = undefined;
  }
  if (!isJsonMap(value))
    return unavailable(`The secret ${name} begins like a JSON object and is not one.`);
  return { ok: true, credential: value };
}

function bareToken(text: string, name: string): ResolvedCredential {
  // A token travels in a header, and a line break there would end it.
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(text))
    return unavailable(`The secret ${name} is neither a JSON object nor a token on one line.`);
  return { ok: true, credential: text };
}

function unavailable(problem: string): ResolvedCredential {
  return { ok: false, problem };
}
