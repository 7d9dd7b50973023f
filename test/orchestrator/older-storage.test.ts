/** Objects that a version of the service with other tables has written, and that this one wakes. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";
import { instanceOf, ledger, living, makeTarget, untilOver } from "#test/support/cloud.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { placesAt } from "#test/support/places.ts";
import { eventsOf, runnerOf, start, until } from "#test/support/runner.ts";

const HOUR_MS = 3_600_000;
const source = (servers: readonly string[]) => `name: older
runtime: yaml
resources:
${servers.map((one) => `  ${one}: { type: mock:Server, properties: { name: ${one} } }`).join("\n")}
outputs:
  first: \${a.name}
`;

/** The runner's tables as they were: a row for each fact, and no serial beside a resource. */
async function makeRunnerOlder(instanceId: string): Promise<void> {
  await runInDurableObject(runnerOf(instanceId), (_, { storage }) => {
    const { sql } = storage;
    // A row for each fact that shares one now.
    sql.exec(`INSERT OR REPLACE INTO facts
      SELECT fact.key, fact.value FROM facts JOIN json_each(facts.value) fact WHERE facts.name = 'run'`);
    sql.exec(`INSERT OR REPLACE INTO facts
      SELECT 'serial', coalesce(max(serial), 0) FROM resources UNION ALL
      SELECT 'position', coalesce(max(position), 0) FROM resources`);
    sql.exec("DELETE FROM facts WHERE name = 'run'");
    sql.exec("ALTER TABLE resources DROP COLUMN serial");
  });
}

describe("an object of an earlier version", () => {
  it("goes on with its run, and keeps its slot, the queue, the serial and the outputs", async () => {
    const tenant = await makeTenant();
    const config = { readyAfterMs: HOUR_MS };
    const targetId = await makeTarget(tenant, config, { maxConcurrentDeployments: 1 });
    const instance = await instanceOf(tenant, source(["a", "b"]), targetId);
    const { instanceId } = instance;
    const first = await start(tenant, instanceId);
    await until("both are made", async () => (await ledger(targetId)).length === 2);
    await letBecomeReady(targetId);
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
    await instance.change(source(["a", "b", "c"]));
    const running = await start(tenant, instanceId);
    await until("the third is being made", async () => (await ledger(targetId)).length === 3);
    const other = await instanceOf(tenant, source(["a"]), targetId);
    const waiting = await start(tenant, other.instanceId);
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    const places = () => runInDurableObject(gate, (_, { storage }) => placesAt(storage));
    await until("the other one waits", async () => (await places()).length === 2);
    await makeRunnerOlder(instanceId);
    await makeRunnerOlder(other.instanceId);
    await abortAllDurableObjects();

    await runnerOf(instanceId).wake();
    const woken = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    const left = await runInDurableObject(woken, (_, { storage }) => placesAt(storage));
    expect(left.map(({ id, holds }) => [id, holds])).toEqual([
      [running, 1],
      [waiting, 0],
    ]);
    const asked = { deploymentId: "new", instanceId: "new", capacity: 1 };
    expect(await woken.acquire(asked)).toEqual({ granted: false, ticket: 2 });
    await woken.release("new");
    await letBecomeReady(targetId);
    expect((await untilOver(tenant, running)).body.state).toBe("SUCCEEDED");
    await until("the fourth is being made", async () => (await ledger(targetId)).length === 4);
    await letBecomeReady(targetId);
    expect((await untilOver(tenant, waiting)).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toHaveLength(4);
    const { body } = await tenant.get(`/instances/${instanceId}`);
    expect(body).toMatchObject({ stateSerial: 3, outputs: { first: "a" }, drift: "IN_SYNC" });
    const changed = (await eventsOf(instanceId)).filter((type) => type.endsWith("outputs_changed"));
    expect(changed).toHaveLength(1);
    expect((await instance.destroy()).body.state).toBe("SUCCEEDED");
  });
});
