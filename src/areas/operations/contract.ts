import * as z from "zod";
import { DeploymentView } from "#areas/deployment-records/public.ts";
import { endpoint } from "#http/endpoint.ts";
import { severalOf } from "#http/lists/list-query.ts";
import { pageOf, pageQuery } from "#http/lists/page.ts";
import { TenantFilter, Timestamp } from "#http/schemas.ts";
import { prose } from "#platform/prose.ts";
import { openStates } from "#schema/lists/deployment-states.ts";
import { runPhases } from "#schema/lists/run-phases.ts";

const RunnerView = z.object({
  phase: z
    .enum(runPhases)
    .nullable()
    .describe(
      prose(
        "Where the runner stands in the run: `waiting` for the instance's other deployments, `gate` for a place at the target, `planning`, `parked` until the plan is approved, `applying`, `closed`. Null: the runner has not heard of the deployment.",
      ),
    ),
  nextTurnAt: Timestamp.nullable().describe(
    prose("When the runner continues by itself. Null: nothing will wake it but the next sweep."),
  ),
  faults: z
    .int()
    .describe(
      prose("Faults of the service in a row at the place where the run stands; the fifth ends it."),
    ),
  lastProblem: z
    .object({
      at: Timestamp.describe(prose("The time of the line.")),
      level: z.enum(["warn", "error"]).describe(prose("The level of the line.")),
      message: z.string().describe(prose("The text, for people.")),
      resource: z.string().nullable().describe(prose("Null: the line is about no resource.")),
    })
    .nullable()
    .describe(
      prose("The newest warning or error of the run's log. Null: none in its last 500 lines."),
    ),
});

export const RunView = z
  .object({
    id: z.uuid().describe(prose("The deployment's id.")),
    deployment: DeploymentView.describe(prose("The deployment, as its tenant sees it.")),
    instanceName: z
      .string()
      .describe(prose("The instance's name when the deployment was requested.")),
    openSeconds: z.int().describe(prose("Seconds since the deployment was requested.")),
    idleSeconds: z.int().describe(prose("Seconds since its last progress.")),
    runner: RunnerView.nullable().describe(
      prose("What the instance's runner says of the run. Null: it did not answer."),
    ),
  })
  .meta({ id: "Run" });

export const listRunsEndpoint = endpoint({
  method: "GET",
  path: "/operations/runs",
  operationId: "listRuns",
  tag: "Operations",
  summary: prose("List open deployments"),
  description: prose(
    "For operators: every deployment that has not ended, of all tenants, the one without progress for longest first; how long it is open, what it waits for, and what its runner says. A list that is read page by page may show a deployment twice that made progress meanwhile.",
  ),
  access: { role: "operator", scope: "deployments:read" },
  query: z.object({
    ...pageQuery,
    tenantId: TenantFilter,
    state: severalOf(openStates, "Only deployments in this state."),
  }),
  answer: {
    status: 200,
    description: prose("A page of open deployments."),
    schema: pageOf(RunView),
  },
  problems: ["invalid_cursor"],
});

export const getMetricsEndpoint = endpoint({
  method: "GET",
  path: "/metrics",
  operationId: "getMetrics",
  tag: "Operations",
  summary: prose("Read the installation's metrics"),
  description: prose(
    "For operators, and for Prometheus: open deployments, deliveries, triggers, sweeps and lost messages as they are now, in OpenMetrics 1.0 text. Give the scraper a key with the scope `metrics:read` alone.",
  ),
  access: { role: "operator", scope: "metrics:read" },
  answer: {
    status: 200,
    description: prose("The metrics."),
    otherMediaTypes: ["application/openmetrics-text"],
  },
});
