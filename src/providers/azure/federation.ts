import type { JsonMap } from "#platform/json.ts";
import type { Federation, TokenIssuer, TrustSetup } from "#providers/provider.ts";
import { cloudOf } from "./clouds.ts";
import { azureSchemas } from "./sign-in.ts";

/** The identity that the config names; undefined: none. */
function identityOf(config: JsonMap) {
  const { success, data } = azureSchemas().config.safeParse(config);
  if (!success) return undefined;
  const { tenantId, clientId, subscriptionId, resourceGroup } = data;
  return tenantId === undefined || clientId === undefined || subscriptionId === undefined
    ? undefined
    : { clientId, subscriptionId, resourceGroup };
}

/** A federated credential of the application: the token's issuer, subject and audience, each exactly. */
function trust(config: JsonMap, { url, subject }: TokenIssuer): TrustSetup {
  const { audience } = cloudOf(config);
  const policy = {
    name: `control-${subject.replaceAll(/[^A-Za-z0-9-]+/g, "-")}`.slice(0, 120),
    issuer: url,
    subject,
    audiences: [audience],
  };
  const identity = identityOf(config);
  const client = identity?.clientId ?? "<clientId>";
  const subscription = identity?.subscriptionId ?? "<subscriptionId>";
  const group = identity?.resourceGroup;
  const scope = `/subscriptions/${subscription}${group === undefined ? "" : `/resourceGroups/${group}`}`;
  return {
    policy,
    steps: [
      "Save the policy as policy.json.",
      `Let the application trust it: az ad app federated-credential create --id ${client} --parameters policy.json`,
      `Give the application a role: az role assignment create --assignee ${client} --role Contributor --scope ${scope}`,
      "Templates with role assignments also need the role Role Based Access Control Administrator there.",
    ],
  };
}

export const azureFederation: Federation = {
  audience: (config) => (identityOf(config) === undefined ? undefined : cloudOf(config).audience),
  trust,
};
