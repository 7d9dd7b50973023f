/**
 * The audiences that this installation signs tokens for, by provider. What a tenant writes into a config may become part
 * of an audience; a token for any other service is never signed, whatever the provider says.
 */
import type { JsonMap } from "#platform/json.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";
import type { Provider } from "./provider.ts";

const pool = "projects/\\d{1,20}/locations/global/workloadIdentityPools/[a-z0-9-]{4,32}";

/** Each matches a whole audience. */
const forms: Readonly<Partial<Record<ProviderName, RegExp>>> = {
  aws: /^sts\.amazonaws\.com$/,
  azure: /^api:\/\/AzureADTokenExchange(USGov|China)?$/,
  gcp: new RegExp(`^(https:)?//iam\\.googleapis\\.com/${pool}/providers/[a-z0-9-]{4,32}$`),
  oci: /^https:\/\/idcs-[a-z0-9]{1,64}(\.[a-z0-9-]{1,40})?\.identity\.oraclecloud\.com(:443)?$/,
};

export type TokenAudience =
  | { kind: "audience"; audience: string }
  /** The provider takes no tokens. */
  | { kind: "none" }
  /** Why there is no audience. */
  | { kind: "refused"; problem: string };

/** The audience of the tokens of a target without a stored credential. */
export function tokenAudience(
  { name, federation, config: schema }: Pick<Provider, "name" | "federation" | "config">,
  config: JsonMap,
): TokenAudience {
  if (federation === undefined) return { kind: "none" };
  // What was registered before the provider was available may not fit.
  if (!schema.safeParse(config).success)
    return {
      kind: "refused",
      problem: `The config does not fit the provider ${name}. Correct it: GET /cloud/providers has its JSON Schema.`,
    };
  const audience = federation.audience(config);
  if (audience === undefined)
    return {
      kind: "refused",
      problem: `The target has no \`credentialRef\`, and its config names no identity at ${name} that its runs can assume. Set one of them.`,
    };
  if (forms[name]?.test(audience) !== true)
    return {
      kind: "refused",
      problem: `The config asks for a token that ${name} does not take: its audience would be ${JSON.stringify(audience.slice(0, 200))}. Correct the identity in the config.`,
    };
  return { kind: "audience", audience };
}
