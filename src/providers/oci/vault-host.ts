/** Keys are made and read at a host of their vault, which the vault shows as `managementEndpoint`. */
import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";

const KEY = "oci:Key";
/** Of the call's config, in which the host is. */
const SETTING = "vaultEndpoint";

/** The host in this config, if it is one of Oracle's in the region. */
export function vaultHost(config: JsonMap, region: string): string | undefined {
  return hostIn(config[SETTING], region);
}

function hostIn(endpoint: Json | undefined, region: string): string | undefined {
  const [, found] =
    /^https:\/\/[a-z0-9-]{1,63}-management\.kms\.([a-z0-9-]{1,63})\.(?:oci\.)?oraclecloud\.com\/?$/.exec(
      typeof endpoint === "string" ? endpoint : "",
    ) ?? [];
  return typeof endpoint === "string" && found === region ? endpoint : undefined;
}

/** The context of a call for a key, with the host of its vault; a failure: the properties name none. */
export function atVault(
  context: ProviderContext,
  { type, properties }: { type: string; properties: JsonMap },
): ProviderContext | Failed {
  if (type !== KEY) return context;
  const { managementEndpoint } = properties;
  const { config, region } = context;
  if (hostIn(managementEndpoint, region) === undefined)
    return failure(
      "invalid_property",
      `A key takes \`managementEndpoint\` of its vault, in the region ${region}: \${vault.managementEndpoint}.`,
      { means: "invalid", fault: "user" },
    );
  return { ...context, config: { ...config, [SETTING]: managementEndpoint ?? null } };
}
