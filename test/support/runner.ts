/** Fault injection for the object that runs an instance's deployments, and reads of its state. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import { openDb } from "#platform/db/client.ts";
import type { TestTenant } from "./api.ts";

/** Always a fresh stub, because a stub breaks when its object dies. */
export function runnerOf(instanceId: string): DurableObjectStub<InstanceRunner> {
  return env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId));
}

/** Every table of the instance's runner, as text. */
export async function storedBy(instanceId: string): Promise<string> {
  return runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({ name }) => name)
      // Only the runtime may read its own.
      .filter((name) => !name.startsWith("_cf_"));
    return JSON.stringify(
      tables.map((name) => [name, storage.sql.exec(`SELECT * FROM "${name}"`).toArray()]),
    );
  });
}

export interface CrashPlan {
  when: "before" | "after";
  /** The n-th commit from now, counted from 1. */
  commit: number;
  /** The commit fails, and the object stays alive. */
  throws?: true;
}

/** Counts the commits of the instance's runner from now on, and kills the object at the planned one. */
export async function watchCommits(
  instanceId: string,
  plan?: CrashPlan,
): Promise<{ commits: number; crashed: boolean }> {
  const seen = { commits: 0, crashed: false };
  await runInDurableObject(runnerOf(instanceId), (runner, state) => {
    let before: number | undefined;
    runner.crashPoint = (when, number) => {
      before ??= number - 1;
      const commit = number - before;
      seen.commits = Math.max(seen.commits, commit);
      if (seen.crashed || when !== plan?.when || commit !== plan.commit) return undefined;
      seen.crashed = true;
      if (plan.throws) throw new Error("a commit that fails, as the test plans");
      state.abort("a crash that the test plans");
      // The killed object must not continue.
      return new Promise(() => undefined);
    };
  });
  return seen;
}

export interface LostTrip {
  /** Whether the connection is lost before or after the statements take effect. */
  when: "before" | "after";
  /** The n-th round trip from now, counted from 1. */
  trip: number;
}

/** Counts the round trips of the instance's runner to D1 from now on, and loses the planned one. */
export async function watchRoundTrips(
  instanceId: string,
  plan?: LostTrip,
): Promise<{ trips: number; lost: boolean }> {
  const seen = { trips: 0, lost: false };
  const send = async <T>(trip: () => Promise<T>): Promise<T> => {
    seen.trips += 1;
    if (seen.trips !== plan?.trip) return trip();
    seen.lost = true;
    if (plan.when === "after") await trip();
    throw new Error("D1_ERROR: the connection was lost, as the test plans");
  };
  const native = new Map<D1PreparedStatement, D1PreparedStatement>();
  const watched = {
    prepare: (query: string) => ({
      bind: (...values: unknown[]) => {
        const bound = env.DB.prepare(query).bind(...values);
        const statement = { all: () => send(() => bound.all()) } as D1PreparedStatement;
        native.set(statement, bound);
        return statement;
      },
    }),
    batch: (statements: D1PreparedStatement[]) =>
      send(() => env.DB.batch(statements.map((one) => native.get(one) ?? one))),
  } as D1Database;
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    runner.db = openDb(watched);
  });
  return seen;
}

/** Polls until the condition holds; bounded, so that a test fails instead of hanging. */
export async function until(
  what: string,
  reached: () => boolean | Promise<boolean>,
): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if (await reached()) return;
    // Later looks are further apart, because each takes time from the awaited work.
    await scheduler.wait(tries < 20 ? 5 : Math.min(tries, 50));
  }
  throw new Error(`In vain waited until ${what}`);
}

/** Starts the operation without waiting for it. */
export async function start(
  tenant: TestTenant,
  instanceId: string,
  operation: "deploy" | "plan" | "destroy" | "check-drift" = "deploy",
): Promise<string> {
  const started = await tenant.post(`/instances/${instanceId}/${operation}`);
  expect(started.status, started.text).toBe(202);
  return started.body.id;
}

/** The kinds of a deployment's events, without the resource, by sequence. */
export async function eventsOf(deploymentId: string): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT id, type, payload ->> '$.sequence' AS sequence FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence', id",
  )
    .bind(deploymentId)
    .all<{ id: string; type: string; sequence: number }>();
  const sequences = results.map(({ sequence }) => sequence);
  expect(new Set(sequences).size, `sequences of ${deploymentId}: ${sequences.join()}`).toBe(
    sequences.length,
  );
  return results.map(({ type }) => type.replace("deployment.", ""));
}

export async function messagesOf(tenant: TestTenant, deploymentId: string): Promise<string[]> {
  const messages: string[] = [];
  let cursor = "";
  for (;;) {
    const page = await tenant.get(`/deployments/${deploymentId}/log?limit=100${cursor}`);
    expect(page.status, page.text).toBe(200);
    messages.push(...page.body.data.map(({ message }: { message: string }) => message));
    if (page.body.nextCursor === null) return messages;
    cursor = `&cursor=${page.body.nextCursor}`;
  }
}

/** Stops the instance's runner before its n-th commit from now until it is released. */
export async function holdBefore(instanceId: string, commit: number) {
  const hold = { reached: false, released: false };
  await runInDurableObject(runnerOf(instanceId), (runner) => {
    let before: number | undefined;
    runner.crashPoint = async (when, number) => {
      before ??= number - 1;
      if (when !== "before" || number - before !== commit) return;
      hold.reached = true;
      // Polled inside the object: a promise of another context would not wake it.
      while (!hold.released) await scheduler.wait(5);
    };
  });
  return {
    reached: () => until(`the runner stands before commit ${commit}`, () => hold.reached),
    release: () => {
      hold.released = true;
    },
  };
}
