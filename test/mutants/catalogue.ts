import { accountsMutants } from "./accounts.ts";
import { apiKeysMutants } from "./api-keys.ts";
import { azureAnswersMutants } from "./azure-answers.ts";
import { cloudTargetsMutants } from "./cloud-targets.ts";
import { consoleMutants } from "./console.ts";
import { deploymentsMutants } from "./deployments.ts";
import { docsMutants } from "./docs.ts";
import { engineMutants } from "./engine.ts";
import { failingCloudsMutants } from "./failing-clouds.ts";
import { featureFlagsMutants } from "./feature-flags.ts";
import { gateMutants } from "./gate.ts";
import { gcpAnswersMutants } from "./gcp-answers.ts";
import { httpMutants } from "./http.ts";
import { importsMutants } from "./imports.ts";
import { incidentsMutants } from "./incidents.ts";
import { installationMutants } from "./installation.ts";
import { instancesMutants } from "./instances.ts";
import { invitationsMutants } from "./invitations.ts";
import { kernelMutants } from "./kernel.ts";
import { licenseMutants } from "./license.ts";
import { marketplaceMutants } from "./marketplace.ts";
import { ociAnswersMutants } from "./oci-answers.ts";
import { platformMutants } from "./platform.ts";
import { profilesMutants } from "./profiles.ts";
import { projectionMutants } from "./projection.ts";
import { providerAnswersMutants } from "./provider-answers.ts";
import { providersMutants } from "./providers.ts";
import { runsMutants } from "./runs.ts";
import { signInMutants } from "./sign-in.ts";
import { statusMutants } from "./status.ts";
import { stepsMutants } from "./steps.ts";
import { templatesMutants } from "./templates.ts";
import { tenantsMutants } from "./tenants.ts";
import { testsMutants } from "./tests.ts";
import { triggersMutants } from "./triggers.ts";
import { webhooksMutants } from "./webhooks.ts";

/** Every mutant, by the floor or area that it is planted in; those of whose account it is stand together. */
export const catalogue = {
  platform: platformMutants,
  kernel: kernelMutants,
  http: httpMutants,
  engine: engineMutants,
  providers: [
    ...providersMutants,
    ...providerAnswersMutants,
    ...gcpAnswersMutants,
    ...azureAnswersMutants,
    ...ociAnswersMutants,
    ...failingCloudsMutants,
  ],
  gate: gateMutants,
  runs: runsMutants,
  steps: stepsMutants,
  projection: projectionMutants,
  accounts: accountsMutants,
  "api-keys": apiKeysMutants,
  "cloud-targets": cloudTargetsMutants,
  console: consoleMutants,
  deployments: deploymentsMutants,
  docs: docsMutants,
  "feature-flags": featureFlagsMutants,
  imports: importsMutants,
  incidents: incidentsMutants,
  instances: instancesMutants,
  invitations: invitationsMutants,
  license: licenseMutants,
  marketplace: marketplaceMutants,
  profiles: profilesMutants,
  "sign-in": signInMutants,
  status: statusMutants,
  templates: templatesMutants,
  tenants: tenantsMutants,
  triggers: triggersMutants,
  webhooks: webhooksMutants,
  installation: installationMutants,
  tests: testsMutants,
};
