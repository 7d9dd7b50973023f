import type * as z from "zod";
import { callOf } from "#http/request-call.ts";
import { plainRoute, route } from "#http/route.ts";
import { readLog } from "#orchestrator/client/ask-runner.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { abandonDeployment } from "./abandon-deployment.ts";
import { approveDeployment } from "./approve-deployment.ts";
import { awaitDeployment } from "./await-deployment.ts";
import { cancelDeployment } from "./cancel-deployment.ts";
import {
  abandonDeploymentEndpoint,
  approveDeploymentEndpoint,
  cancelDeploymentEndpoint,
  discardDeploymentEndpoint,
  getDeploymentLogEndpoint,
  getDeploymentPlanEndpoint,
  listDeploymentsEndpoint,
  type PlanView,
} from "./contract.ts";
import { discardDeployment } from "./discard-deployment.ts";
import { type LogSource, logStream } from "./log-stream.ts";
import { getDeployment, getDeploymentPlan, listDeployments } from "./read-deployments.ts";
import { deploymentView } from "./view.ts";

export const deploymentRoutes = [
  route(
    listDeploymentsEndpoint,
    (call, { query }) => listDeployments(call, query, (row) => deploymentView(row, call)),
    (page) => page,
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
  ),
  plainRoute(getDeploymentLogEndpoint, async (c, { params, query }) => {
    const call = await callOf(c, getDeploymentLogEndpoint);
    let deployment = await getDeployment(call, params.id);
    const { id: deploymentId, instanceId } = deployment;
    const read = async (afterSeq: number, options: { limit?: number; waitMs?: number }) => {
      const over = isFinal(deployment.state);
      const page = await readLog(call.env, { deploymentId, instanceId }, afterSeq, {
        ...options,
        over,
      });
      // A deployment that ended has a log until it is pruned, unless it never started.
      const began = deployment.timestamps.PLANNING !== undefined;
      return { ...page, pruned: over && page.empty && began };
    };
    const source: LogSource = {
      read: (after, waitMs) => read(after, { waitMs }),
      refresh: async () => void (deployment = await getDeployment(call, deploymentId)),
    };
    if ((c.req.header("accept") ?? "").includes("text/event-stream")) {
      const lastEventId = Number(c.req.header("last-event-id") ?? query.cursor ?? 0);
      const afterSeq = Number.isSafeInteger(lastEventId) && lastEventId > 0 ? lastEventId : 0;
      return new Response(logStream(source, afterSeq, call.requestId), {
        headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
      });
    }
    const { entries, pruned } = await read(query.cursor ?? 0, { limit: query.limit });
    const last = entries.at(-1);
    return Response.json({
      data: entries,
      nextCursor: entries.length < query.limit || last === undefined ? null : String(last.seq),
      pruned,
    });
  }),
  route(
    approveDeploymentEndpoint,
    (call, { params }) => approveDeployment(call, params.id),
    deploymentView,
    awaitDeployment,
  ),
  route(
    discardDeploymentEndpoint,
    (call, { params }) => discardDeployment(call, params.id),
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
