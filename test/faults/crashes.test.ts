/**
 * A runner that is killed before and after every commit of every kind of run, and comes back: the cloud, the
 * state, the deployment and its events are then as if nothing had happened.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { runInDurableObject } from "cloudflare:test";
import { sweepDeployments } from "#orchestrator/sweep.ts";
import type { JsonMap } from "#platform/json.ts";
import { type Client, clientOf, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import {
  type CrashPlan,
  eventsOf,
  messagesOf,
  runnerOf,
  until,
  watchCommits,
} from "#test/support/runner.ts";

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

/** One object, to be decided upon. */
const small = `
name: small
runtime: yaml
config:
  size: { type: string, default: one }
resources:
  box:
    type: mock:Bucket
    properties: { name: box, size: "\${size}" }
    options: { customTimeouts: { create: 1s } }
outputs:
  size: \${box.size}
`;
/** Adopts `kept` of the world outside, renames `one`, keeps `left`, and deletes `app` for `db`, which goes first. */
const options = `
name: crashes
runtime: yaml
resources:
  kept: { type: mock:Bucket, properties: { name: kept, label: old }, options: { import: %ID% } }
  uno: { type: mock:Bucket, properties: { name: one }, options: { aliases: [one] } }
  db:
    type: mock:Database
    properties: { name: db, engine: mysql }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: "\${db.id}" } }
`;
const beforeOptions = `
name: crashes
runtime: yaml
resources:
  one: { type: mock:Bucket, properties: { name: one } }
  left: { type: mock:Bucket, properties: { name: left }, options: { retainOnDelete: true } }
  db:
    type: mock:Database
    properties: { name: db, engine: pg }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: "\${db.id}" } }
`;

/** So many cases run side by side: each has an instance and a cloud of its own. */
const AT_ONCE = 6;

const DAY_MS = 86_400_000;

interface Scene {
  template: "large" | "small" | "options";
  /** Brings a new instance to where the run begins. */
  prepare?: (at: Place) => Promise<void>;
  /** What is done while the runner is killed: the ids of the deployments that it is about. */
  act: (at: Place) => Promise<string[]>;
  states: string[];
  config?: JsonMap;
  more?: JsonMap;
}

interface Place {
  instanceId: string;
  targetId: string;
}

describe("a runner that dies at any commit", () => {
  let tenant: TestTenant;
  let approver: Client;
  const templates: Record<string, string> = {};

  beforeAll(async () => {
    tenant = await makeTenant();
    // A target for each crash: more than any plan allows, and more at a time than anybody deploys.
    await operator.patch(`/tenants/${tenant.tenantId}`, {
      limits: { targets: null, instances: null, deploysPerMinute: null, deploymentsPerMonth: null },
    });
    const key = await tenant.post("/api-keys", { name: "approver", scopes: ["*"] });
    approver = clientOf(key.body.key);
    templates["large"] = await makeTemplate(tenant, before);
    templates["small"] = await makeTemplate(tenant, small);
    templates["options"] = await makeTemplate(tenant, beforeOptions);
    const second = await tenant.post(`/templates/${templates["large"]}/versions`, {
      source: after,
    });
    expect(second.status, second.text).toBe(201);
  });

  const patch = async (instanceId: string, body: JsonMap): Promise<void> => {
    const patched = await tenant.patch(`/instances/${instanceId}`, body);
    expect(patched.status, patched.text).toBe(200);
  };
  const deployed = async ({ instanceId }: Place): Promise<void> => {
    const done = await run(tenant, instanceId, "deploy");
    expect(done.body.state, done.text).toBe("SUCCEEDED");
  };
  const acts =
    (operation: "deploy" | "destroy") =>
    async ({ instanceId }: Place): Promise<string[]> => [
      (await run(tenant, instanceId, operation)).body.id,
    ];
  const parked = async ({ instanceId }: Place): Promise<string> => {
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    return body.id;
  };
  const is = (wanted: string) => (state: string) => state === wanted;
  const scenes: Record<string, Scene> = {
    creates: { template: "large", act: acts("deploy"), states: ["SUCCEEDED"] },
    "waits for what it creates": {
      template: "large",
      act: acts("deploy"),
      config: { readyAfterMs: 20 },
      states: ["SUCCEEDED"],
    },
    "updates, replaces and deletes": {
      template: "large",
      prepare: async (at) => {
        await deployed(at);
        await patch(at.instanceId, { templateVersion: 2 });
      },
      act: acts("deploy"),
      states: ["SUCCEEDED"],
    },
    destroys: {
      template: "large",
      prepare: deployed,
      act: acts("destroy"),
      states: ["SUCCEEDED"],
    },
    "imports, renames, retains, and deletes dependents first": {
      template: "options",
      prepare: async (at) => {
        await deployed(at);
        const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(at.targetId));
        const made = await cloud.fetch("https://mock.cloud.invalid/v1/buckets", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ name: "kept", label: "old" }),
        });
        const { id } = await made.json<{ id: string }>();
        const source = options.replace("%ID%", id);
        const version = await tenant.post(`/templates/${templates["options"]}/versions`, {
          source,
        });
        await patch(at.instanceId, { templateVersion: version.body.version });
      },
      act: acts("deploy"),
      states: ["SUCCEEDED"],
    },
    "destroys what was made in part": {
      template: "small",
      prepare: async ({ instanceId }) => {
        expect((await run(tenant, instanceId, "deploy")).body.state).toBe("FAILED");
      },
      act: acts("destroy"),
      config: { faults: [{ kind: "buckets", on: "create", status: 0, effect: "after", times: 2 }] },
      states: ["SUCCEEDED"],
    },
    "waits for approval, and is approved": {
      template: "small",
      more: { approvalMode: "always" },
      act: async (at) => {
        const id = await parked(at);
        const approved = await approver.post(`/deployments/${id}/approve`);
        expect(approved.status, approved.text).toBe(202);
        await unlessHeard(id);
        await untilState(tenant, id, is("SUCCEEDED"));
        return [id];
      },
      states: ["SUCCEEDED"],
    },
    "waits for approval, and is discarded": {
      template: "small",
      more: { approvalMode: "always" },
      act: async (at) => {
        const id = await parked(at);
        expect((await approver.post(`/deployments/${id}/discard`)).status).toBe(200);
        return [id];
      },
      states: ["DISCARDED"],
    },
    "waits for approval in vain": {
      template: "small",
      more: { approvalMode: "always" },
      act: async (at) => {
        const id = await parked(at);
        await until("it expires", async () => {
          await runInDurableObject(runnerOf(at.instanceId), (runner) => {
            runner.now = () => Date.now() + 7.01 * DAY_MS;
          }).catch(() => undefined);
          await runnerOf(at.instanceId)
            .wake()
            .catch(() => undefined);
          await scheduler.wait(20);
          return (await tenant.get(`/deployments/${id}`)).body.state === "EXPIRED";
        });
        return [id];
      },
      states: ["EXPIRED"],
    },
    "waits for approval while another changes the instance": {
      template: "small",
      more: { approvalMode: "always" },
      act: async (at) => {
        const id = await parked(at);
        await patch(at.instanceId, { approvalMode: "auto" });
        const other = await run(tenant, at.instanceId, "deploy");
        await untilState(tenant, id, is("SUPERSEDED"));
        return [id, other.body.id];
      },
      states: ["SUPERSEDED", "SUCCEEDED"],
    },
    "goes back": {
      template: "small",
      prepare: async (at) => {
        await deployed(at);
        await patch(at.instanceId, { variables: { size: "two" } });
        await deployed(at);
      },
      act: async ({ instanceId }) => {
        const { body } = await tenant.get(`/instances/${instanceId}`);
        const asked = await tenant.post(`/deployments/${body.lastDeploymentId}/rollback`);
        expect(asked.status, asked.text).toBe(202);
        await untilOver(tenant, asked.body.id);
        return [asked.body.id];
      },
      states: ["SUCCEEDED"],
    },
  };
  /** The bell of an approval may meet the crash: the sweep rings it again. */
  const unlessHeard = async (id: string): Promise<void> => {
    await scheduler.wait(50);
    const { state } = (await tenant.get(`/deployments/${id}`)).body;
    if (state === "APPLYING") await sweepDeployments(env, Date.now() + 3_600_000);
  };

  const make = async ({ template, prepare, config, more }: Scene): Promise<Place> => {
    const targetId = await makeTarget(tenant, { ...config });
    const instanceId = await makeInstance(tenant, templates[template] ?? "", targetId, {
      templateVersion: 1,
      ...more,
    });
    await prepare?.({ instanceId, targetId });
    return { targetId, instanceId };
  };

  /** All that a reader can see of the outcome, without ids and times. */
  const outcome = async (ids: readonly string[], { targetId, instanceId }: Place) => {
    const logs: (string | undefined)[] = [];
    const rows = [];
    for (const id of ids) {
      logs.push((await messagesOf(tenant, id)).at(-1));
      const { state, summary, error } = (await tenant.get(`/deployments/${id}`)).body;
      rows.push({ state, summary, error, events: await eventsOf(id) });
    }
    const entries = await ledger(targetId);
    const instance = await tenant.get(`/instances/${instanceId}`);
    const resources = await runnerOf(instanceId).listResources();
    const phases = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.sql.exec("SELECT DISTINCT phase FROM runs").toArray(),
    );
    return {
      rows,
      logs,
      phases,
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
      const expected = await outcome(await scene.act(whole), whole);
      expect(expected.rows.map(({ state }) => state)).toEqual(scene.states);
      expect(expected.phases).toEqual([{ phase: "closed" }]);

      const cases = Array.from({ length: seen.commits }, (_, at) => at + 1).flatMap(
        (commit): CrashPlan[] => [
          { when: "before", commit },
          { when: "after", commit },
        ],
      );
      const worker = async (): Promise<void> => {
        for (let one = cases.shift(); one !== undefined; one = cases.shift()) {
          const place = await make(scene);
          const label = `killed ${one.when} commit ${one.commit} of ${seen.commits}`;
          const crash = await watchCommits(place.instanceId, one);
          const acted = scene.act(place);
          await until(`the runner is ${label}`, () => crash.crashed);
          await runnerOf(place.instanceId).wake();
          expect(await outcome(await acted, place), label).toEqual(expected);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    });
});
