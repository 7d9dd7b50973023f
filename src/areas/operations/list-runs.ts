import { type DeploymentRow, findOpenDeployments } from "#areas/deployment-records/public.ts";
import { closePage, openPage, type Page, type PageQuery } from "#http/lists/page.ts";
import type { Call } from "#kernel/call/call.ts";
import { readStanding, type RunStanding } from "#orchestrator/client/ask-runner.ts";
import { describeError, log } from "#platform/log.ts";

export interface OpenRun {
  deployment: DeploymentRow & { instanceName: string };
  /** Null: the runner did not answer. */
  standing: RunStanding | null;
}

/**
 * Open deployments, the longest without progress first, each with its runner's report. A runner that does not answer
 * hides no other.
 */
export async function listRuns(
  call: Call,
  query: PageQuery & { tenantId?: string | undefined; state?: readonly string[] | undefined },
): Promise<Page<OpenRun>> {
  const { limit, cursor, ...filters } = query;
  const signed = { list: "runs", ...filters };
  const page = await openPage(call, { limit, cursor, sort: "updatedAt" }, signed);
  const found = (await call.read(...findOpenDeployments(call, page, filters))).flat();
  const rows = found.toSorted((a, b) => a.updatedAtMs - b.updatedAtMs || (a.id < b.id ? -1 : 1));
  const shown = await closePage(call, page, signed, rows, (row) => row);
  const data = await Promise.all(
    shown.data.map(async (deployment) => ({
      deployment,
      standing: await standingOf(call, deployment),
    })),
  );
  return { data, nextCursor: shown.nextCursor };
}

async function standingOf(
  call: Call,
  { id: deploymentId, instanceId }: DeploymentRow,
): Promise<RunStanding | null> {
  try {
    return await readStanding(call.env, { deploymentId, instanceId });
  } catch (error) {
    log("warn", "A runner did not answer", { deploymentId, error: describeError(error) });
    return null;
  }
}
