import type { JsonMap } from "#platform/json.ts";
import type { Federation, TokenIssuer, TrustSetup } from "#providers/provider.ts";
import { roleIn } from "./access.ts";
import { AUDIENCE } from "./session.ts";

/** How AWS names an issuer in conditions and ARNs. */
export function issuerName({ url }: Pick<TokenIssuer, "url">): string {
  return url.replace(/^https:\/\//, "").replace(/\/+$/, "");
}

/** The role trusts tokens of this installation that are for AWS and say that they are this target's. */
function trust(config: JsonMap, issuer: TokenIssuer): TrustSetup {
  const { partition = "aws", account = "ACCOUNT_ID" } = roleIn(config) ?? {};
  const name = issuerName(issuer);
  return {
    policy: {
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: `arn:${partition}:iam::${account}:oidc-provider/${name}` },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: {
            StringEquals: { [`${name}:aud`]: AUDIENCE, [`${name}:sub`]: issuer.subject },
          },
        },
      ],
    },
    steps: [
      `Create the identity provider once in the account: aws iam create-open-id-connect-provider --url ${issuer.url} --client-id-list ${AUDIENCE}`,
      "Set the policy as the trust policy of the role: aws iam update-assume-role-policy --role-name ROLE --policy-document file://trust.json",
      "Give the role the permissions that the templates need, and those of Cloud Control: cloudformation:CreateResource, GetResource, UpdateResource, DeleteResource, ListResources and GetResourceRequestStatus.",
      "Verify the target.",
    ],
  };
}

export const awsFederation: Federation = {
  audience: (config) => (roleIn(config) === undefined ? undefined : AUDIENCE),
  trust,
};
