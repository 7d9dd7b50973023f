import type { Bindings } from "#platform/bindings.ts";
import { lacksSecret } from "./client-secret.ts";
import { providerSettings } from "./oidc/provider-settings.ts";

/** What is wrong with the settings of sign-in, for the operator: names of settings, and nothing of their values. */
export function signInProblems(env: Bindings): string[] {
  const { providers, problems } = providerSettings(env.OIDC_PROVIDERS, env.DEV_COOKIES === "on");
  const unset = providers
    .filter((provider) => lacksSecret(env, provider))
    .map(({ id, clientSecret }) => `OIDC_PROVIDERS, ${id}: the secret ${clientSecret} is not set.`);
  const entries = (env.OPERATORS ?? "").split(",").map((entry) => entry.trim());
  const odd = entries.filter((entry) => entry !== "" && !/[|@]/.test(entry)).length;
  return [
    ...problems,
    ...unset,
    ...(odd === 0
      ? []
      : ["OPERATORS: an entry is neither `issuer|subject` nor an e-mail address."]),
  ];
}
