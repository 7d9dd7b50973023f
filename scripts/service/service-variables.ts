import type { Variables } from "../files/env-file.ts";

const secrets = ["BOOTSTRAP_API_KEY", "SEALING_KEYS"] as const;
const optionalSecrets = ["IDENTITY_KEYS", "LICENSE_KEY", "LICENSE_PUBLIC_KEY"] as const;

/**
 * The service's variables for one run: those of the file, overridden by environment variables that belong to the service:
 * named in wrangler.toml's `[vars]` or in the file, secrets, credentials of targets (`TARGET_…`), secrets of sign-in
 * providers (`OIDC_…`) and the key of AWS Secrets Manager (`AWS_SM_…`).
 */
export function serviceVariables(sources: {
  wranglerToml: string;
  devVars: Variables;
  environment: Readonly<Record<string, string | undefined>>;
}): Variables {
  const own = new Set([
    ...secrets,
    ...optionalSecrets,
    ...variableNames(sources.wranglerToml),
    ...Object.keys(sources.devVars),
  ]);
  const given = Object.entries(sources.environment).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      (own.has(entry[0]) || /^(TARGET|OIDC|AWS_SM)_[A-Z0-9_]+$/.test(entry[0])),
  );
  return { ...sources.devVars, ...Object.fromEntries(given) };
}

/** The names in the `[vars]` table of a wrangler.toml. */
export function variableNames(wranglerToml: string): string[] {
  const names: string[] = [];
  let inside = false;
  for (const line of wranglerToml.split("\n")) {
    if (/^\s*\[/.test(line)) inside = /^\s*\[vars\]\s*(#.*)?$/.test(line);
    const name = /^\s*([A-Za-z_][A-Za-z0-9_]*)\s*=/.exec(line)?.[1];
    if (inside && name !== undefined) names.push(name);
  }
  return names;
}

/** The required secrets that are missing or empty. */
export function missingSecrets(variables: Variables): string[] {
  return secrets.filter((name) => (variables[name] ?? "") === "");
}
