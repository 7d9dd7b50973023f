import type { JsonMap } from "#platform/json.ts";
import type { Federation, TokenIssuer, TrustSetup } from "#providers/provider.ts";
import { audienceOf, gcpConfig, PROVIDER } from "./sign-in.ts";

/** A provider of a pool that takes this issuer's tokens, and this target's subject alone. */
function trust(config: JsonMap, { url, subject }: TokenIssuer): TrustSetup {
  const { success, data } = gcpConfig().safeParse(config);
  const {
    workloadIdentityProvider = "",
    serviceAccount = "<service-account>",
    project = "<project>",
  } = success ? data : {};
  const named = PROVIDER.exec(workloadIdentityProvider)?.groups ?? {};
  const { number = "<project-number>", pool = "control", provider = "control" } = named;
  const principal = `principal://iam.googleapis.com/projects/${number}/locations/global/workloadIdentityPools/${pool}/subject/${subject}`;
  return {
    policy: {
      issuerUri: url,
      attributeMapping: { "google.subject": "assertion.sub" },
      attributeCondition: `assertion.sub == '${subject}'`,
      audience: audienceOf(
        `projects/${number}/locations/global/workloadIdentityPools/${pool}/providers/${provider}`,
      ),
    },
    steps: [
      `Enable the APIs: gcloud services enable iam.googleapis.com sts.googleapis.com iamcredentials.googleapis.com cloudresourcemanager.googleapis.com --project=${project}`,
      `Create a pool, unless it is there: gcloud iam workload-identity-pools create ${pool} --location=global --project=${project}`,
      `Let it trust this target, by a provider of its own: a provider that is there trusts another target, so name a new one in the config. gcloud iam workload-identity-pools providers create-oidc ${provider} --location=global --workload-identity-pool=${pool} --issuer-uri=${url} --attribute-mapping=google.subject=assertion.sub --attribute-condition="assertion.sub == '${subject}'" --project=${project}`,
      `Let the target act as the service account: gcloud iam service-accounts add-iam-policy-binding ${serviceAccount} --role=roles/iam.workloadIdentityUser --member=${principal}`,
      `Give the service account the roles that your templates need: gcloud projects add-iam-policy-binding ${project} --member=serviceAccount:${serviceAccount} --role=<role>`,
    ],
  };
}

export const gcpFederation: Federation = {
  audience: (config) => {
    const { success, data } = gcpConfig().safeParse(config);
    const provider = success ? data.workloadIdentityProvider : undefined;
    return provider === undefined || data?.project === undefined ? undefined : audienceOf(provider);
  },
  trust,
};
