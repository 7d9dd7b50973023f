/**
 * A runner that is killed before and after every commit of every kind of run, and comes back: the cloud, the
 * state, the deployment and its events are then as if nothing had happened.
 */
import { beforeAll, describe, expect, it } from "vitest";
import { makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
} from "#test/support/cloud.ts";
import { eventsOf, runnerOf, runWithCrash, watchCommits } from "#test/support/runner.ts";
import type { Answer } from "#test/support/api.ts";

const before = `
name: crashes
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16, label: one } }
  db:
    type: mock:Database
    properties: { name: db, engine: pg, network: "\${net.id}" }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: v1, db: "\${db.id}" } }
  old: { type: mock:Bucket, properties: { name: old, network: "\${net.id}" } }
outputs:
  app: \${app.name}
`;
/** Updates net, replaces db (old first) and app (new first), deletes old, creates fresh. */
const after = `
name: crashes
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16, label: two } }
  db:
    type: mock:Database
    properties: { name: db, engine: mysql, network: "\${net.id}" }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: v2, db: "\${db.id}" } }
  fresh: { type: mock:Bucket, properties: { name: fresh } }
outputs:
  app: \${app.name}
`;

/** So many cases run side by side: each has an instance and a cloud of its own. */
const AT_ONCE = 6;

interface Scene {
  operation: "deploy" | "destroy";
  /** Brings a new instance to where the run begins. */
  prepare: (instanceId: string) => Promise<void>;
  config?: { readyAfterMs: number };
}

describe("a runner that dies at any commit", () => {
  let tenant: TestTenant;
  let templateId: string;

  beforeAll(async () => {
    tenant = await makeTenant();
    // A target for each crash: more than any plan allows.
    await operator.patch(`/tenants/${tenant.tenantId}`, { limits: { targets: null } });
    templateId = await makeTemplate(tenant, before);
    const second = await tenant.post(`/templates/${templateId}/versions`, { source: after });
    expect(second.status, second.text).toBe(201);
  });

  const deployed = async (instanceId: string): Promise<void> => {
    const done = await run(tenant, instanceId, "deploy");
    expect(done.body.state, done.text).toBe("SUCCEEDED");
  };
  const scenes: Record<string, Scene> = {
    creates: { operation: "deploy", prepare: async () => undefined },
    "waits for what it creates": {
      operation: "deploy",
      prepare: async () => undefined,
      config: { readyAfterMs: 20 },
    },
    "updates, replaces and deletes": {
      operation: "deploy",
      prepare: async (instanceId) => {
        await deployed(instanceId);
        const moved = await tenant.patch(`/instances/${instanceId}`, { templateVersion: 2 });
        expect(moved.status, moved.text).toBe(200);
      },
    },
    destroys: { operation: "destroy", prepare: deployed },
  };

  const make = async ({ prepare, config }: Scene) => {
    const targetId = await makeTarget(tenant, { ...config });
    const instanceId = await makeInstance(tenant, templateId, targetId, { templateVersion: 1 });
    await prepare(instanceId);
    return { targetId, instanceId };
  };

  /** All that a reader can see of the outcome, without ids and times. */
  const outcome = async (over: Answer, targetId: string, instanceId: string) => {
    const entries = await ledger(targetId);
    const instance = await tenant.get(`/instances/${instanceId}`);
    const resources = await runnerOf(instanceId).listResources();
    return {
      state: over.body.state,
      summary: over.body.summary,
      events: await eventsOf(over.body.id),
      changes: entries.map(({ verb, kind, name }) => `${verb} ${kind}/${name}`).sort(),
      living: living(entries),
      instance: instance.body.state,
      outputs: instance.body.outputs,
      resources: resources.map(({ name, type, state }) => `${name} ${type} ${state}`).sort(),
    };
  };

  for (const [name, scene] of Object.entries(scenes))
    it(`ends as if it had not, when the run ${name}`, { timeout: 120_000 }, async () => {
      const whole = await make(scene);
      const seen = await watchCommits(whole.instanceId);
      const expected = await outcome(
        await run(tenant, whole.instanceId, scene.operation),
        whole.targetId,
        whole.instanceId,
      );
      expect(expected.state).toBe("SUCCEEDED");
      expect(expected.events).toEqual(["queued", "started", "planned", "applying", "succeeded"]);
      expect(seen.commits).toBeGreaterThan(8);

      const cases = Array.from({ length: seen.commits }, (_, at) => at + 1).flatMap((commit) => [
        { when: "before" as const, commit },
        { when: "after" as const, commit },
      ]);
      const worker = async (): Promise<void> => {
        for (let one = cases.shift(); one !== undefined; one = cases.shift()) {
          const { targetId, instanceId } = await make(scene);
          const over = await runWithCrash(tenant, instanceId, scene.operation, one);
          const label = `killed ${one.when} commit ${one.commit} of ${seen.commits}`;
          expect(await outcome(over, targetId, instanceId), label).toEqual(expected);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
});
