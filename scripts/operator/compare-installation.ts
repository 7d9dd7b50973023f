/**
 * Compares the database of an installation with every instance's runner: after a restore, after somebody edited rows,
 * or as a nightly check.
 */
import type { Client } from "../client/client.ts";

/** The answer of `POST /instances/{id}/reconcile`. */
export interface Reconciled {
  instanceId: string;
  compared: number;
  deployments: number;
  inserted: number;
  events: number;
  plans: number;
  instance: boolean;
  lost: number;
}

export interface Comparison {
  instances: number;
  /** Deployments that were compared. */
  compared: number;
  differing: readonly { instanceId: string; what: string }[];
  /** Deployments that a restore removed before they began: nothing can write them again. */
  missing: readonly { instanceId: string; count: number }[];
  /** Instances whose runner could not be asked, with the reason. */
  failed: readonly { instanceId: string; why: string }[];
  /** Deployments that are open in the database and unknown to the instance's runner. */
  unheard: readonly { deploymentId: string; instanceId: string; idleSeconds: number }[];
}

interface OpenRun {
  id: string;
  idleSeconds: number;
  deployment: { instanceId: string };
  runner: { phase: string | null } | null;
}

/** Runners asked at the same time. */
const AT_ONCE = 8;
/** The sweep notifies a runner again after 30 s without progress, so a younger deployment is no problem yet. */
const UNHEARD_SECONDS = 120;

/**
 * `write`: differences are written again, not only reported. A runner that differs is asked twice: one with a run under
 * way is ahead of the database for a moment. Throws when the lists cannot be read.
 */
export async function compareInstallation(
  client: Client,
  { write, pause }: { write: boolean; pause: () => Promise<unknown> },
): Promise<Comparison> {
  const instances = await client.list<{ id: string }>("/instances");
  const runs = await client.list<OpenRun>("/operations/runs");
  const asked = async (id: string) =>
    client.post<Reconciled>(`/instances/${id}/reconcile${write ? "" : "?dryRun=true"}`);
  const differing: { instanceId: string; what: string }[] = [];
  const missing: { instanceId: string; count: number }[] = [];
  const failed: { instanceId: string; why: string }[] = [];
  let compared = 0;
  const one = async (instanceId: string): Promise<void> => {
    try {
      let found = await asked(instanceId);
      if (!write && differenceOf(found) !== undefined) {
        await pause();
        found = await asked(instanceId);
      }
      compared += found.compared;
      const what = differenceOf(found);
      if (what !== undefined) differing.push({ instanceId, what });
      if (found.lost > 0) missing.push({ instanceId, count: found.lost });
    } catch (error) {
      failed.push({ instanceId, why: error instanceof Error ? error.message : String(error) });
    }
  };
  const left = instances.map(({ id }) => id);
  const worker = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) await one(id);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const unheard = runs
    .filter((run) => run.runner?.phase === null && run.idleSeconds >= UNHEARD_SECONDS)
    .map(({ id, deployment, idleSeconds }) => ({
      deploymentId: id,
      instanceId: deployment.instanceId,
      idleSeconds,
    }));
  return { instances: instances.length, compared, differing, missing, failed, unheard };
}

/** The rows that can be written again, in words; undefined: none. */
export function differenceOf(found: Reconciled): string | undefined {
  const parts = [
    counted(found.deployments, "deployment", "deployments"),
    counted(found.events, "event", "events"),
    counted(found.plans, "plan", "plans"),
    found.instance ? "the instance's state or outputs" : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(", ");
}

function counted(count: number, one: string, several: string): string | undefined {
  return count === 0 ? undefined : `${count} ${count === 1 ? one : several}`;
}
