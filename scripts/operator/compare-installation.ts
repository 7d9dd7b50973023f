/**
 * Compares the database of an installation with what the runner of every instance knows: after a restore, after somebody
 * edited rows, or as a check at night.
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
  /** Deployments that a restore took away before they began: nothing can write them again. */
  missing: readonly { instanceId: string; count: number }[];
  /** Instances whose runner could not be asked, and why. */
  failed: readonly { instanceId: string; why: string }[];
  /** Deployments that the database shows as open, and of which the instance's runner has not heard. */
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
/** The sweep asks a runner again that has not moved for 30 s; a deployment that young is on its way. */
const UNHEARD_SECONDS = 120;

/**
 * `repair`: what differs is written again, instead of being told. What differs is asked for twice: a run that goes on
 * meanwhile is ahead of the database for a moment. Throws when the lists cannot be read.
 */
export async function compareInstallation(
  client: Client,
  { repair, pause }: { repair: boolean; pause: () => Promise<unknown> },
): Promise<Comparison> {
  const instances = await client.list<{ id: string }>("/instances");
  const runs = await client.list<OpenRun>("/operations/runs");
  const asked = async (id: string) =>
    client.post<Reconciled>(`/instances/${id}/reconcile${repair ? "" : "?dryRun=true"}`);
  const differing: { instanceId: string; what: string }[] = [];
  const missing: { instanceId: string; count: number }[] = [];
  const failed: { instanceId: string; why: string }[] = [];
  let compared = 0;
  const one = async (instanceId: string): Promise<void> => {
    try {
      let found = await asked(instanceId);
      if (!repair && differenceOf(found) !== undefined) {
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

/** What the database lacks and can get, in words; undefined: nothing. */
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
