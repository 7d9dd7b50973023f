import type { Mutant } from "./mutant.ts";

export const deploymentsMutants: readonly Mutant[] = [
  {
    id: "cursor-ignored-by-deployments",
    what: "Every page of the deployments is the first",
    file: "src/areas/deployments/store.ts",
    from: "        ...afterCursor(deployments, page),\n",
    to: "",
    test: "test/contract/pages.test.ts",
    noticedBy: "has each row once, in order, a row on each page, and ends",
  },
  {
    id: "deployment-filters-unsigned",
    what: "A cursor of the deployments is good for other filters",
    file: "src/areas/deployments/read-deployments.ts",
    from: 'const page = await openPage(call, query, { list: "deployments", ...filters });\n  const [rows] = await call.read(findDeployments(call, page, filters));\n  return closePage(call, page, { list: "deployments", ...filters }, rows, view);',
    to: 'const page = await openPage(call, query, { list: "deployments" });\n  const [rows] = await call.read(findDeployments(call, page, filters));\n  return closePage(call, page, { list: "deployments" }, rows, view);',
    test: "test/contract/pages.test.ts",
    noticedBy: "does not go on with another filter",
  },
  {
    id: "requester-approves",
    what: "Whoever requested a deployment may approve it under `always`",
    file: "src/areas/deployments/deployment.ts",
    from: "requestedBy === `${actor.kind}:${actor.name}` ||\n    (person !== undefined && person === requestedByPerson)",
    to: "false",
    test: "test/areas/approval.test.ts",
    noticedBy: "lets nobody approve their own request in the mode `always`",
  },
  {
    id: "requester-approves-by-key",
    what: "Whoever requested a deployment may approve it with another credential",
    file: "src/areas/deployments/deployment.ts",
    from: " ||\n    (person !== undefined && person === requestedByPerson)",
    to: "",
    test: "test/areas/approval.test.ts",
    noticedBy: "identifies the requester by person, not by key; a triggered deployment has none",
  },
  {
    id: "stale-plan-approved",
    what: "A plan is approved although the instance has changed since",
    file: "src/areas/deployments/approve-deployment.ts",
    from: "if (approval.serialNow !== before.stateSerial) {",
    to: "if (false) {",
    test: "test/areas/approval.test.ts",
    noticedBy:
      "supersedes a plan that nobody has superseded yet, and stores no answer for the request",
  },
  {
    id: "protected-plan-approved",
    what: "A plan is approved that the protection forbids",
    file: "src/areas/deployments/approve-deployment.ts",
    from: "if (approval.protectedNow === 1 && breaksProtection(before.operation, before.summary))",
    to: "if (false)",
    test: "test/attacks/raised-safeguards.test.ts",
    noticedBy: "does not delete by an approval after the instance is protected",
  },
];
