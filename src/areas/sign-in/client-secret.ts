import type { Bindings } from "#kernel/bindings.ts";
import type { OidcProvider } from "./oidc/provider-settings.ts";

type Named = Pick<OidcProvider, "clientSecret">;

/** The Worker secret that the configuration names; undefined: it is not set, or none is named. */
export function clientSecretOf(env: Bindings, { clientSecret: name }: Named): string | undefined {
  if (name === undefined) return undefined;
  const secrets = env as unknown as Readonly<Record<string, unknown>>;
  const value = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** True: the provider needs a secret that is not set. */
export function lacksSecret(env: Bindings, provider: Named): boolean {
  return provider.clientSecret !== undefined && clientSecretOf(env, provider) === undefined;
}
