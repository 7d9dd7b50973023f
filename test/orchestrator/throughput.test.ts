/** The cloud determines a run's duration: the orchestration adds little, and no more per step as steps increase. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import { makeTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";

const WIDTH = 20;
const DEPTH = 3;
const STEPS = WIDTH * DEPTH;
const LATENCY_MS = 100;

/** `DEPTH` layers of `WIDTH` servers, each fed by the one above it. */
function layers(): string {
  const lines = ["name: layered", "runtime: yaml", "resources:"];
  for (let layer = 0; layer < DEPTH; layer += 1)
    for (let place = 0; place < WIDTH; place += 1) {
      const above = layer === 0 ? "" : `, above: "\${s${layer - 1}x${place}.id}"`;
      lines.push(
        `  s${layer}x${place}: { type: mock:Server, properties: { name: s${layer}x${place}${above} } }`,
      );
    }
  return `${lines.join("\n")}\n`;
}

describe("a run of many steps", () => {
  it("keeps six calls in progress, in one turn of the runner, with two commits per step", async () => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(tenant, { latencyMs: LATENCY_MS });
    const templateId = await makeTemplate(tenant, layers());
    const instanceId = await makeInstance(tenant, templateId, targetId);
    const runner = env.INSTANCE_RUNNER.get(env.INSTANCE_RUNNER.idFromName(instanceId));
    let turns = 0;
    let commits = 0;
    await runInDurableObject(runner, (instance: InstanceRunner) => {
      const alarm = instance.alarm.bind(instance);
      instance.alarm = async () => {
        turns += 1;
        await alarm();
      };
      instance.crashPoint = (when) => {
        if (when === "after") commits += 1;
      };
    });

    const { body } = await run(tenant, instanceId, "deploy");

    expect(body.state, JSON.stringify(body.error)).toBe("SUCCEEDED");
    expect(body.summary.create).toBe(STEPS);
    const wallMs = Date.parse(body.timestamps.SUCCEEDED) - Date.parse(body.timestamps.APPLYING);
    // One call at a time takes at least this long; six at a time take a sixth.
    expect(wallMs).toBeLessThan((STEPS * LATENCY_MS) / 2);
    expect(turns).toBeGreaterThan(0);
    expect(turns).toBeLessThan(STEPS / 10);
    expect(commits).toBeGreaterThanOrEqual(2 * STEPS);
    expect(commits).toBeLessThan(2 * STEPS + 10);
  }, 20_000);
});
