/** What Google says of a sign-in, in words that say what to change. */
import { isJsonMap } from "#platform/json.ts";
import type { ProviderError } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";
import { googleError } from "./meaning.ts";

/** By the code, and what the description says where the code is of several. */
const advice: readonly { code: string; says?: RegExp; todo: string }[] = [
  {
    code: "unauthorized_client",
    says: /attribute condition/i,
    todo: "The attribute condition of the workload identity provider does not let this target in. It has to accept the subject that the target's answer names.",
  },
  {
    code: "invalid_grant",
    says: /audience/i,
    todo: "The workload identity provider expects another audience. Leave its allowed audiences empty, or add the one that the target's answer names.",
  },
  {
    code: "invalid_grant",
    says: /issuer/i,
    todo: "The workload identity provider trusts another issuer. Its issuer URI has to be the one that the target's answer names.",
  },
  {
    code: "invalid_grant",
    says: /JWT Signature|signature/i,
    todo: "The key does not belong to the service account, or was deleted. Create a new key and store it.",
  },
  {
    code: "invalid_grant",
    says: /account not found|not a valid email|Invalid email/i,
    todo: "The service account does not exist any more. Use the key of one that does.",
  },
  {
    code: "invalid_target",
    todo: "The workload identity pool or its provider does not exist, or is disabled. Correct workloadIdentityProvider in the target's config.",
  },
  {
    code: "unauthorized_client",
    todo: "The identity may not sign in here. Compare the workload identity provider with what the target's answer names.",
  },
];

const IMPERSONATE = "iam.serviceAccounts.getAccessToken";

export function signInError(answer: Answer): ProviderError {
  const { json, status } = answer;
  const code = isJsonMap(json) ? json["error"] : undefined;
  if (!isJsonMap(json) || typeof code !== "string") return impersonationError(answer);
  const { error_description: described } = json;
  const said = typeof described === "string" ? described : "";
  const todo = advice.find((one) => one.code === code && (one.says?.test(said) ?? true))?.todo;
  const told = said === "" ? code : `${code}: ${said}`;
  if (status === 429 || status >= 500) return { code, message: told };
  return {
    code,
    message: todo === undefined ? told : `${told} ${todo}`,
    means: "denied",
  };
}

/** `generateAccessToken` and disabled services answer as Google's other APIs do. */
function impersonationError(answer: Answer): ProviderError {
  const error = googleError(answer, { verb: "session" });
  if (answer.status === 404)
    return {
      ...error,
      message: `${error.message} Correct serviceAccount in the target's config.`,
      means: "denied",
    };
  if (error.permission !== IMPERSONATE && !error.message.includes(IMPERSONATE)) return error;
  return {
    ...error,
    message: `${error.message} Give the federated identity the role roles/iam.workloadIdentityUser on the service account, and check that it exists.`,
    permission: IMPERSONATE,
  };
}
