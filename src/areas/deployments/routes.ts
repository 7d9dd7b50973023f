import type * as z from "zod";
import { deploymentView } from "#areas/deployment-records/public.ts";
import { instanceView } from "#areas/instances/public.ts";
import { streamRoute } from "#http/long-answers/event-stream.ts";
import { route } from "#http/route.ts";
import { abandonDeployment } from "./abandon-deployment.ts";
import { approveDeployment } from "./approve-deployment.ts";
import { awaitDeployment } from "./await-deployment.ts";
import { cancelDeployment } from "./cancel-deployment.ts";
import {
  abandonDeploymentEndpoint,
  approveDeploymentEndpoint,
  cancelDeploymentEndpoint,
  discardDeploymentEndpoint,
  getDeploymentEndpoint,
  getDeploymentLogEndpoint,
  getDeploymentPlanEndpoint,
  listDeploymentsEndpoint,
  type PlanView,
} from "./contract.ts";
import { discardDeployment } from "./discard-deployment.ts";
import { planText } from "./plan-text.ts";
import { getDeploymentPlan, getDeploymentWith, listDeployments } from "./read-deployments.ts";
import { logOf, readLogOf } from "./read-log.ts";
import { rollbackDeployment } from "./rollback-deployment.ts";
import {
  checkDriftEndpoint,
  deployInstanceEndpoint,
  destroyInstanceEndpoint,
  planInstanceEndpoint,
  rollbackDeploymentEndpoint,
} from "./start-contract.ts";
import { startDeployment } from "./start-deployment.ts";

const starts = [
  [deployInstanceEndpoint, "deploy"],
  [planInstanceEndpoint, "plan"],
  [destroyInstanceEndpoint, "destroy"],
  [checkDriftEndpoint, "drift_check"],
] as const;

export const deploymentRoutes = [
  ...starts.map(([endpoint, operation]) =>
    route(
      endpoint,
      (call, { params, body }) =>
        startDeployment(call, params.id, operation, { trigger: "manual", request: body }),
      deploymentView,
      awaitDeployment,
    ),
  ),
  route(
    rollbackDeploymentEndpoint,
    (call, { params, body }) => rollbackDeployment(call, params.id, body),
    deploymentView,
    awaitDeployment,
  ),
  route(
    listDeploymentsEndpoint,
    (call, { query }) => listDeployments(call, query, (row) => deploymentView(row, call)),
    (page) => page,
  ),
  route(
    getDeploymentEndpoint,
    (call, { params, query }) => getDeploymentWith(call, params.id, query.include),
    ({ deployment, instance }, call) => ({
      ...deploymentView(deployment, call),
      ...(instance === undefined
        ? {}
        : { instance: instance === null ? null : instanceView(instance) }),
    }),
  ),
  route(
    getDeploymentPlanEndpoint,
    (call, { params }) => getDeploymentPlan(call, params.id),
    ({ deployment, changes }): z.input<typeof PlanView> => ({
      deploymentId: deployment.id,
      planHash: deployment.planHash ?? "",
      stateSerial: deployment.stateSerial ?? 0,
      summary: deployment.summary ?? { create: 0, update: 0, replace: 0, delete: 0, unchanged: 0 },
      changes: changes as z.input<typeof PlanView>["changes"],
    }),
    undefined,
    planText,
  ),
  streamRoute(getDeploymentLogEndpoint, ({ params }) => logOf(params.id), {
    after: ({ query }) => query.cursor,
    page: async ({ env, deployment }, { query }) => {
      const page = { after: query.cursor ?? 0, limit: query.limit };
      const { entries, pruned } = await readLogOf(env, deployment, page);
      const last = entries.at(-1);
      return Response.json({
        data: entries,
        nextCursor: entries.length < query.limit || last === undefined ? null : String(last.seq),
        pruned,
      });
    },
  }),
  route(
    approveDeploymentEndpoint,
    (call, { params, body }) => approveDeployment(call, params.id, body?.comment),
    deploymentView,
    awaitDeployment,
  ),
  route(
    discardDeploymentEndpoint,
    (call, { params, body }) => discardDeployment(call, params.id, body?.comment),
    deploymentView,
  ),
  route(
    abandonDeploymentEndpoint,
    (call, { params, body }) => abandonDeployment(call, params.id, body),
    deploymentView,
  ),
  route(
    cancelDeploymentEndpoint,
    (call, { params }) => cancelDeployment(call, params.id),
    deploymentView,
    awaitDeployment,
  ),
];
