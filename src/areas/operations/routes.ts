import type * as z from "zod";
import { deploymentView } from "#areas/deployment-records/public.ts";
import { callOf } from "#http/request-call.ts";
import { plainRoute, route } from "#http/route.ts";
import type { Call } from "#kernel/call/call.ts";
import type { RunStanding } from "#orchestrator/client/ask-runner.ts";
import { exposition, OPENMETRICS_TYPE } from "#platform/openmetrics.ts";
import { timestamp } from "#platform/timestamp.ts";
import { getMetricsEndpoint, listRunsEndpoint, type RunView } from "./contract.ts";
import { listRuns, type OpenRun } from "./list-runs.ts";
import { metricsOf } from "./metrics.ts";
import { readFigures } from "./read-figures.ts";

export const operationRoutes = [
  route(
    listRunsEndpoint,
    async (call, { query }) => {
      const { data, nextCursor } = await listRuns(call, query);
      return { data: data.map((run) => runView(run, call)), nextCursor };
    },
    (page) => page,
  ),
  plainRoute(getMetricsEndpoint, async (c) => {
    const figures = await readFigures(await callOf(c, getMetricsEndpoint));
    return new Response(exposition(metricsOf(figures)), {
      headers: { "content-type": OPENMETRICS_TYPE },
    });
  }),
];

function runView({ deployment, standing }: OpenRun, call: Call): z.input<typeof RunView> {
  return {
    id: deployment.id,
    deployment: deploymentView(deployment, call),
    instanceName: deployment.instanceName,
    openSeconds: secondsSince(deployment.createdAtMs, call),
    idleSeconds: secondsSince(deployment.updatedAtMs, call),
    runner: standing && runnerView(standing),
  };
}

function runnerView(standing: RunStanding): NonNullable<z.input<typeof RunView>["runner"]> {
  const { phase, nextTurnAtMs, faults, lastProblem } = standing;
  return {
    phase,
    nextTurnAt: nextTurnAtMs === null ? null : timestamp(nextTurnAtMs),
    faults,
    lastProblem: lastProblem && {
      at: lastProblem.at,
      level: lastProblem.level === "error" ? "error" : "warn",
      message: lastProblem.message,
      resource: lastProblem.resource ?? null,
    },
  };
}

function secondsSince(atMs: number, { now }: Call): number {
  return Math.max(0, Math.floor((now - atMs) / 1000));
}
