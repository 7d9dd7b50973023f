import { deploymentStates } from "#schema/lists/deployment-states.ts";

/**
 * What a field means wherever its declaration does not describe it: by its name, or by schema and name where the name
 * means something else there.
 */
export const fieldTexts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    deploymentStates.map((state) => [state, `When the deployment became \`${state}\`.`]),
  ),
  after: "The value after the change.",
  at: "The time.",
  before: "The value before the change.",
  bindings: "Variables that are outputs of other instances, by the variable's name.",
  code: "A stable code: programs decide by it.",
  create: "How many resources are created.",
  createdAt: "When it was created.",
  data: "The items of this page.",
  delete: "How many resources are deleted.",
  dependsOn: "Names of the resources that it needs first.",
  deploymentId: "The deployment.",
  elapsedMs: "Milliseconds since the step started.",
  id: "The id.",
  instanceId: "The instance.",
  kind: "The kind.",
  level: "How important the entry is.",
  message: "A text for people.",
  name: "The name.",
  nextCursor: "Send it as `cursor` for the next page; null: this is the last one.",
  operation: "What the deployment does.",
  output: "The name of the output.",
  planHash: "The SHA-256 of the plan, which an approval is bound to.",
  profileId: "The profile whose variables apply; null: none.",
  protectedFromDestroy:
    "True: a destroy, an expiry and every plan that deletes or replaces are refused.",
  replace: "How many resources are replaced.",
  resource: "The resource.",
  seq: "The place of the entry in the log; an SSE id too.",
  state: "The state.",
  stateSerial: "Counts the changes of the instance's state.",
  step: "The step that the entry belongs to.",
  targetId: "The cloud target.",
  templateId: "The template.",
  templateVersion: "The number of the template version.",
  tenantId: "The tenant that owns it.",
  unchanged: "How many resources stay as they are.",
  update: "How many resources are updated.",
  updatedAt: "When it was last changed.",
  "DeploymentPlan.type": "The type of the resource, for example `mock:Server`.",
  "DeploymentPlan.changes": "The change of each resource.",
  "DeploymentPlan.path": "The path of the property.",
  "DeploymentPlan.summary": "How many resources each action affects.",
  "Deployment.code":
    "A stable code: programs decide by it. `/docs/errors#deployment-errors` lists them; any other is the cloud's own.",
  "InstanceResource.type": "The type, for example `mock:Server`.",
  "Instance.variables": "Values of the template's config, by name; secret ones read `[secret]`.",
};
