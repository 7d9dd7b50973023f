/** Kills every object of the service at random moments, by the run's seed; notifications are lost with them. */
import { abortAllDurableObjects } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { makeTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  untilOver,
} from "#test/support/cloud.ts";
import { testSeed } from "#test/support/depth.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { eventsOf, start } from "#test/support/runner.ts";

await emptyDatabase();

const source = `
name: random-crashes
runtime: yaml
config:
  image: { type: string, default: v1 }
resources:
  net: { type: mock:Network, properties: { name: net } }
  a: { type: mock:Server, properties: { name: a, image: "\${image}", net: "\${net.id}" } }
  b: { type: mock:Server, properties: { name: b, image: "\${image}", net: "\${net.id}" } }
  c: { type: mock:Bucket, properties: { name: c, size: "\${image}", a: "\${a.id}" } }
`;
const objects = ["buckets/c", "networks/net", "servers/a", "servers/b"];
const events = ["queued", "started", "planned", "applying", "succeeded"];
/** Later than any stall: the sweep notifies the runner of every open deployment. */
const FAR_MS = 3_600_000;

/** mulberry32: reproducible numbers in [0, 1). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

it(
  "brings every run to its end when all objects are killed again and again",
  { timeout: 120_000 },
  async () => {
    const tenant = await makeTenant();
    const templateId = await makeTemplate(tenant, source);
    const random = randomFrom(testSeed);
    const targets: string[] = [];
    const instances: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const targetId = await makeTarget(tenant, { latencyMs: 5, readyAfterMs: n === 3 ? 100 : 0 });
      targets.push(targetId);
      instances.push(await makeInstance(tenant, templateId, targetId));
    }
    const runs: [operation: "deploy" | "destroy", image: string, alive: string[]][] = [
      ["deploy", "v1", objects],
      ["deploy", "v2", objects],
      ["destroy", "v2", []],
    ];
    for (const [operation, image, alive] of runs) {
      for (const id of instances) await tenant.patch(`/instances/${id}`, { variables: { image } });
      const deployments = await Promise.all(instances.map((id) => start(tenant, id, operation)));
      for (let kill = 0; kill < 5; kill += 1) {
        await scheduler.wait(Math.floor(random() * 60));
        await abortAllDurableObjects();
        await sweepDeployments(env, Date.now() + FAR_MS);
      }
      for (const [n, deploymentId] of deployments.entries()) {
        const over = await untilOver(tenant, deploymentId);
        const about = `TEST_SEED=${testSeed}, ${operation} ${image}, instance ${n}: ${JSON.stringify(over.body.error)}`;
        expect(over.body.state, about).toBe("SUCCEEDED");
        expect(await eventsOf(deploymentId), about).toEqual(events);
      }
      for (const [n, targetId] of targets.entries())
        expect(living(await ledger(targetId)), `TEST_SEED=${testSeed}, instance ${n}`).toEqual(
          alive,
        );
    }
  },
);
