import type { DeploymentRow } from "#areas/deployment-records/public.ts";
import type { EventSource } from "#http/long-answers/event-stream.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { type LogPage, readLog } from "#orchestrator/client/ask-runner.ts";
import { isFinal } from "#schema/lists/deployment-states.ts";
import { getDeployment } from "./read-deployments.ts";

interface Subject {
  env: Bindings;
  deployment: DeploymentRow;
}

/** The log as events. The deployment is reloaded now and then, because it may end without its runner. */
export function logOf(deploymentId: string): EventSource<Subject> {
  return {
    open: async (call) => ({ env: call.env, deployment: await getDeployment(call, deploymentId) }),
    tenantOf: ({ deployment }) => deployment.tenantId,
    read: async ({ env, deployment }, after, waitMs) => {
      const { entries, ended, pruned } = await readLogOf(env, deployment, { after, waitMs });
      return {
        events: entries.map((entry) => ({ id: entry.seq, data: entry })),
        end: ended ? (pruned ? { pruned } : {}) : undefined,
      };
    },
    line: (entry) => logLine(entry as LogPage["entries"][number]),
  };
}

/** An entry as a line for a terminal, which a cloud's words cannot steer. */
function logLine({ at, level, message }: LogPage["entries"][number]): string {
  const importance = level === "info" ? "" : `${level.toUpperCase()} `;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return `${at} ${importance}${message.replace(/[\u0000-\u001F\u007F-\u009F\u2028\u2029]+/g, " ")}`;
}

/** A page of the log. `pruned`: the log was deleted when its retention time ended. */
export async function readLogOf(
  env: Bindings,
  deployment: DeploymentRow,
  { after, ...query }: { after: number; limit?: number; waitMs?: number },
): Promise<LogPage & { pruned: boolean }> {
  const { id: deploymentId, instanceId, state, timestamps } = deployment;
  const over = isFinal(state);
  const page = await readLog(env, { deploymentId, instanceId }, after, { ...query, over });
  // An ended deployment with an empty log either never started, or its log was pruned.
  return { ...page, pruned: over && page.empty && timestamps.PLANNING !== undefined };
}
