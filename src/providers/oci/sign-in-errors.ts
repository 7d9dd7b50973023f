/** What an identity domain says of a sign-in, in words that say what to change. */
import { isJsonMap } from "#platform/json.ts";
import type { ProviderError } from "#providers/rest/definition.ts";
import type { Answer } from "#providers/transport.ts";

/** By what the description says; the first that fits counts. */
const advice: readonly { says: RegExp; todo: string }[] = [
  {
    says: /impersonat|service user|rule/i,
    todo: "No rule of the trust fits this target. impersonationServiceUsers has to name the subject that the target's answer names.",
  },
  {
    says: /audience|client ?claim|\baud\b/i,
    todo: "The trust expects another audience. clientClaimValues has to list the domain's URL, as domainUrl in the target's config has it.",
  },
  {
    says: /issuer|propagation trust|\btrust\b/i,
    todo: "The domain has no active trust for this installation. Its issuer has to be the one that the target's answer names.",
  },
  {
    says: /signature|jwks|public ?key/i,
    todo: "The domain could not check the token. publicKeyEndpoint of the trust has to be the one that the target's answer names, and be reached from the internet.",
  },
  {
    says: /client/i,
    todo: "The OAuth client does not exist, is not active, or the trust does not list it in oauthClients. Correct clientId in the target's config, the client's secret in its credential, or the client.",
  },
];

export function signInError({ json, status }: Answer): ProviderError {
  const { error, error_description: said } = isJsonMap(json) ? json : {};
  if (typeof error !== "string" || error === "")
    return { code: `http_${status}`, message: "not Oracle's words" };
  const words = typeof said === "string" && said !== "" ? said : error;
  const todo = advice.find(({ says }) => says.test(`${error} ${words}`))?.todo;
  return {
    code: error,
    message: todo === undefined ? words : `${words} ${todo}`,
    ...(status < 500 && status !== 429 ? { means: "denied" } : {}),
  };
}
