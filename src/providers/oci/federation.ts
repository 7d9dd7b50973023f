import type { JsonMap } from "#platform/json.ts";
import type { Federation, TokenIssuer, TrustSetup } from "#providers/provider.ts";
import { clientSecretIn, ociConfig } from "./sign-in.ts";

function audience(config: JsonMap): string | undefined {
  const { success, data } = ociConfig().safeParse(config);
  return success && data.clientId !== undefined && data.compartmentId !== undefined
    ? data.domainUrl
    : undefined;
}

/** A trust of the identity domain that lets this target, and no other, act as a service user. */
function trust(config: JsonMap, { url, subject }: TokenIssuer): TrustSetup {
  const { success, data } = ociConfig().safeParse(config);
  const {
    domainUrl = "<domain-url>",
    clientId = "<client-id>",
    compartmentId = "<compartment-id>",
  } = success ? data : {};
  return {
    policy: {
      schemas: ["urn:ietf:params:scim:schemas:oracle:idcs:IdentityPropagationTrust"],
      name: `control-${subject.split(":").at(-1) ?? ""}`,
      type: "JWT",
      issuer: url,
      publicKeyEndpoint: `${url}/.well-known/jwks.json`,
      clientClaimName: "aud",
      clientClaimValues: [domainUrl],
      oauthClients: [clientId],
      subjectType: "User",
      allowImpersonation: true,
      impersonationServiceUsers: [{ rule: `sub eq ${subject}`, value: "<id of the service user>" }],
      active: true,
    },
    steps: [
      `In the identity domain ${domainUrl}, add a confidential application that may exchange tokens. Set its client id as clientId in the target's config, and {"clientSecret": "…"} as the target's credential.`,
      "Create a service user there, and a group that has it: its rights are this target's.",
      `Store the policy above, with the service user's id, as a trust: oci identity-domains identity-propagation-trust create --endpoint ${domainUrl} --from-json file://trust.json`,
      `Let the group manage the compartment: allow group <group> to manage all-resources in compartment id ${compartmentId}`,
    ],
  };
}

export const ociFederation: Federation = {
  audience,
  // Oracle wants to know the client too, which is confidential.
  completedBy: (credential) => clientSecretIn(credential) !== undefined,
  trust,
};
