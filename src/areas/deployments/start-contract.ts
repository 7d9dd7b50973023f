import * as z from "zod";
import { actionAccess, DeploymentView } from "#areas/deployment-records/public.ts";
import { type Endpoint, endpoint } from "#http/endpoint.ts";
import { LabelsField } from "#http/labels.ts";
import { IdParams, plainText } from "#http/schemas.ts";
import { toLower } from "#kernel/access/safeguards.ts";
import { prose } from "#platform/prose.ts";

const StartDeploymentBody = z
  .object({
    message: plainText(0, 1000)
      .optional()
      .describe(prose("Why: a change, a ticket, the commit of a pipeline. Default: none.")),
    labels: LabelsField.optional(),
  })
  .meta({ id: "StartDeploymentBody" });

type Own = "path" | "operationId" | "tag" | "summary" | "description" | "access" | "problems";

/** An endpoint that starts a deployment. `problems`: its own, besides those of all such endpoints. */
function startEndpoint({
  problems = [],
  answer = {},
  ...own
}: Pick<Endpoint, Own> & { answer?: Partial<Pick<Endpoint["answer"], "description">> }) {
  return endpoint({
    ...own,
    method: "POST",
    params: IdParams,
    body: StartDeploymentBody,
    bodyOptional: true,
    answer: {
      status: 202,
      description: prose("The queued deployment."),
      schema: DeploymentView,
      ...answer,
    },
    location: "/deployments/{id}",
    quota: "deploys",
    waits: true,
    problems: ["conflict", ...problems],
  });
}

const ofInstance = {
  tag: "Instances",
  access: { role: "CustomerDeveloper", scope: "instances:write" },
} as const;

export const deployInstanceEndpoint = startEndpoint({
  ...ofInstance,
  path: "/instances/{id}/deploy",
  operationId: "deployInstance",
  summary: prose("Deploy an instance"),
  problems: ["invalid_state", "quota_exceeded"],
});

export const planInstanceEndpoint = startEndpoint({
  ...ofInstance,
  path: "/instances/{id}/plan",
  operationId: "planInstance",
  summary: prose("Plan an instance"),
  description: prose(
    "Computes what a deploy would do now and changes nothing. `GET /deployments/{id}/plan` has the result.",
  ),
  problems: ["invalid_state"],
});

export const destroyInstanceEndpoint = startEndpoint({
  ...ofInstance,
  path: "/instances/{id}/destroy",
  operationId: "destroyInstance",
  summary: prose("Destroy an instance's resources"),
  description: prose(
    "Deletes all its objects at the provider. The instance remains and can be deployed again.",
  ),
  access: toLower.destroy,
  problems: ["resource_protected"],
});

export const checkDriftEndpoint = startEndpoint({
  ...ofInstance,
  path: "/instances/{id}/check-drift",
  operationId: "checkInstanceDrift",
  summary: prose("Check an instance for drift"),
  description: prose(
    "Compares every cloud object with what was last applied and changes nothing. Ends as `NO_CHANGES`, or as `SUCCEEDED` with the differences as its plan; the next deploy reverts them. A deployment that is requested meanwhile takes precedence.",
  ),
  problems: ["invalid_state"],
});

export const rollbackDeploymentEndpoint = startEndpoint({
  path: "/deployments/{id}/rollback",
  operationId: "rollbackDeployment",
  tag: "Deployments",
  summary: prose("Roll back a deployment"),
  description: prose(
    "Starts a deployment with the template version and variables of the latest successful deploy or rollback before this one. The instance takes them at once; the deployment is planned and approved like any other. 409 `nothing_to_roll_back` if no earlier one succeeded.",
  ),
  access: actionAccess.rollback,
  answer: { description: prose("The queued new deployment.") },
  problems: ["invalid_state", "nothing_to_roll_back"],
});
