import { isIssuerOf } from "#kernel/authn/provider-issuer.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { lacksSecret } from "./client-secret.ts";
import { type OidcProvider, providerSettings } from "./oidc/provider-settings.ts";

/** Errors in the sign-in settings, for operators: the names of settings, never their values. */
export function signInProblems(env: Bindings): string[] {
  const { providers, problems } = providerSettings(env.OIDC_PROVIDERS, env.DEV_COOKIES === "on");
  const unset = providers
    .filter((provider) => lacksSecret(env, provider))
    .map(({ id, clientSecret }) => `OIDC_PROVIDERS, ${id}: the secret ${clientSecret} is not set.`);
  return [...problems, ...unset, ...operatorProblems(env.OPERATORS ?? "", providers)];
}

/** An invalid entry would silently make nobody an operator, so it is reported. */
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
      "the issuer of an entry is not in OIDC_PROVIDERS. A trailing slash makes a difference.",
      (entry) =>
        entry.includes("|") && !providers.some((provider) => isIssuerOf(provider, issuerIn(entry))),
    ),
    ...said(
      "an e-mail address needs a provider that is trusted for addresses (`trustedForEmail`), and no provider is.",
      (entry) =>
        !entry.includes("|") &&
        entry.includes("@") &&
        !providers.some(({ trustedForEmail }) => trustedForEmail),
    ),
  ];
}
