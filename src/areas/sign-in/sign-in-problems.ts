import { isIssuerOf } from "#kernel/authn/provider-issuer.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { lacksSecret } from "./client-secret.ts";
import { type OidcProvider, providerSettings } from "./oidc/provider-settings.ts";

/** What is wrong with the settings of sign-in, for the operator: names of settings, and nothing of their values. */
export function signInProblems(env: Bindings): string[] {
  const { providers, problems } = providerSettings(env.OIDC_PROVIDERS, env.DEV_COOKIES === "on");
  const unset = providers
    .filter((provider) => lacksSecret(env, provider))
    .map(({ id, clientSecret }) => `OIDC_PROVIDERS, ${id}: the secret ${clientSecret} is not set.`);
  return [...problems, ...unset, ...operatorProblems(env.OPERATORS ?? "", providers)];
}

/** Whoever an entry is meant for is no operator, and would not know why. */
function operatorProblems(operators: string, providers: readonly OidcProvider[]): string[] {
  const entries = operators
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const said = (problem: string, isSo: (entry: string) => boolean) =>
    entries.some(isSo) ? [`OPERATORS: ${problem}`] : [];
  const issuerIn = (entry: string) => entry.slice(0, entry.indexOf("|"));
  return [
    ...said(
      "an entry is neither `issuer|subject` nor an e-mail address.",
      (entry) => !/[|@]/.test(entry),
    ),
    ...said(
      "the issuer of an entry is none of OIDC_PROVIDERS. A slash at its end counts.",
      (entry) =>
        entry.includes("|") && !providers.some((provider) => isIssuerOf(provider, issuerIn(entry))),
    ),
    ...said(
      "an address counts where a provider is trusted for addresses (`trustedForEmail`), and none is.",
      (entry) =>
        !entry.includes("|") &&
        entry.includes("@") &&
        !providers.some(({ trustedForEmail }) => trustedForEmail),
    ),
  ];
}
