/**
 * Every kind of run, and all visible facts of its outcome. For suites that inject a fault and expect the same outcome.
 * Only they put one fault at every place where a run can die, and know its result without the fault.
 */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { claimProblems } from "#test/invariants/claims.ts";
import { type Client, makeTenant, operator, type TestTenant } from "#test/support/api.ts";
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
import { makeMember } from "#test/support/members.ts";
import { eventsOf, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";
import {
  after,
  before,
  beforeOptions,
  changedService,
  options,
  service,
  patient,
  small,
} from "./run-templates.ts";

const DAY_MS = 86_400_000;

export interface Scene {
  template: "large" | "small" | "patient" | "options" | "service";
  /** The number of its looks, and so of its commits, depends on the duration of its calls. */
  commitsVary?: true;
  /** Prepares a new instance for the run. */
  prepare?: (at: Place) => Promise<void>;
  /** The run, during which the fault is injected. Returns the ids of its deployments. */
  act: (at: Place) => Promise<string[]>;
  states: string[];
  config?: JsonMap;
  more?: JsonMap;
}

export interface Place {
  instanceId: string;
  targetId: string;
}

export interface RunScenes {
  /** Creates the tenant of all scenes. Call once, first. */
  prepare: () => Promise<void>;
  scenes: Readonly<Record<string, Scene>>;
  /** A new instance, prepared for the run. */
  make: (scene: Scene) => Promise<Place>;
  /** All visible facts, without ids and times. */
  outcome: (ids: readonly string[], place: Place) => Promise<Outcome>;
}

export interface Outcome {
  rows: { state: string; summary: unknown; error: unknown; events: string[] }[];
  phases: unknown[];
  [more: string]: unknown;
}

export function runScenes(): RunScenes {
  let tenant: TestTenant;
  let approver: Client;
  let templates: Record<Scene["template"], string>;

  const prepare = async (): Promise<void> => {
    tenant = await makeTenant();
    // One target per fault, and many concurrent deployments: more than any plan allows.
    await operator.patch(`/tenants/${tenant.tenantId}`, {
      limits: { targets: null, instances: null, deploysPerMinute: null, deploymentsPerMonth: null },
    });
    approver = await makeMember(tenant.tenantId, "CustomerAdmin");
    templates = {
      large: await makeTemplate(tenant, before),
      small: await makeTemplate(tenant, small),
      patient: await makeTemplate(tenant, patient),
      options: await makeTemplate(tenant, beforeOptions),
      service: await makeTemplate(tenant, service),
    };
    for (const [id, source] of [
      [templates.large, after],
      [templates.service, changedService],
    ]) {
      const second = await tenant.post(`/templates/${id}/versions`, { source });
      expect(second.status, second.text).toBe(201);
    }
  };
  const patch = async (instanceId: string, body: JsonMap): Promise<void> => {
    const patched = await tenant.patch(`/instances/${instanceId}`, body);
    expect(patched.status, patched.text).toBe(200);
  };
  const deployed = async ({ instanceId }: Place): Promise<void> => {
    const done = await run(tenant, instanceId, "deploy");
    expect(done.body.state, done.text).toBe("SUCCEEDED");
  };
  const is = (wanted: string) => (state: string) => state === wanted;
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
  /** A change at the cloud, outside the service. */
  const atProvider = async (
    targetId: string,
    method: string,
    path: string,
    body: JsonMap,
  ): Promise<{ id: string }> => {
    const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
    const answer = await cloud.fetch(`https://mock.cloud.invalid/v1/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.ok).toBe(true);
    return answer.json();
  };
  /** A deployment that waits for the target's only slot until `free` is called. */
  const queued = async ({ instanceId, targetId }: Place) => {
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    const holder = newId();
    await gate.acquire({
      deploymentId: holder,
      instanceId: newId(),
      capacity: 1,
    });
    const id = await start(tenant, instanceId);
    await until("it waits for its turn", async () => {
      return (await tenant.get(`/deployments/${id}`)).body.blockedBy?.position === 1;
    });
    return { id, free: async () => gate.release(holder) };
  };
  const phaseOf = async ({ instanceId }: Place, id: string): Promise<unknown> => {
    const run = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.sql.exec("SELECT phase FROM runs WHERE deployment_id = ?", id).one(),
    ).catch(() => undefined);
    return run?.["phase"];
  };
  const closed = async (at: Place, id: string): Promise<void> =>
    until("the runner is done with it", async () => (await phaseOf(at, id)) === "closed");
  /** Starts a deploy and waits until an object is being made at the cloud. */
  const creating = async ({ instanceId }: Place): Promise<string> => {
    const id = await start(tenant, instanceId);
    await until("a create is in progress", async () => {
      const rows = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
        storage.sql.exec("SELECT 1 FROM journal WHERE entry LIKE '%\"pending\"%'").toArray(),
      ).catch(() => []);
      return rows.length > 0;
    });
    await untilState(tenant, id, is("APPLYING"));
    return id;
  };
  const scenes: Record<string, Scene> = {
    creates: { template: "large", act: acts("deploy"), states: ["SUCCEEDED"] },
    "waits for what it creates": {
      template: "large",
      act: acts("deploy"),
      config: { readyAfterMs: 20 },
      states: ["SUCCEEDED"],
    },
    "creates by operations, with sessions that end": {
      template: "large",
      act: acts("deploy"),
      config: { operations: { takesMs: 20 }, sessions: { lifeMs: 60_000, callsEach: 5 } },
      states: ["SUCCEEDED"],
    },
    "updates, replaces and deletes by operations that are forgotten": {
      template: "large",
      commitsVary: true,
      prepare: async (at) => {
        await deployed(at);
        await patch(at.instanceId, { templateVersion: 2 });
      },
      act: acts("deploy"),
      config: { operations: { forgottenAfterMs: 300 }, refusesInUse: true },
      states: ["SUCCEEDED"],
    },
    "looks for what a late request made, without tokens": {
      template: "patient",
      commitsVary: true,
      act: acts("deploy"),
      config: {
        tokens: "none",
        longestRequestMs: 900,
        faults: [{ kind: "buckets", on: "create", status: 0, lateMs: 600 }],
      },
      states: ["SUCCEEDED"],
    },
    "creates again what a lost request never made, without tokens": {
      template: "large",
      act: acts("deploy"),
      config: {
        tokens: "none",
        longestRequestMs: 200,
        faults: [{ kind: "networks", on: "create", status: 0 }],
      },
      states: ["SUCCEEDED"],
    },
    "replaces a lost object that is found late": {
      template: "small",
      // Delays in the cloud's time end, however slowly the test runs.
      prepare: async (at) => {
        expect((await run(tenant, at.instanceId, "deploy")).body.state).toBe("FAILED");
        await setCloudForward(at);
      },
      act: acts("deploy"),
      config: {
        tokens: "none",
        longestRequestMs: 1_500,
        faults: [{ kind: "buckets", on: "create", status: 0, lateMs: 60_000 }],
      },
      states: ["SUCCEEDED"],
    },
    "reads what was not ready in time": {
      template: "small",
      prepare: async (at) => {
        expect((await run(tenant, at.instanceId, "deploy")).body.state).toBe("FAILED");
        await setCloudForward(at);
      },
      act: acts("deploy"),
      config: { readyAfterMs: 3_600_000 },
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
    "updates by several calls": {
      template: "service",
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
        const { id } = await atProvider(at.targetId, "POST", "buckets", {
          name: "kept",
          label: "old",
        });
        const source = options.replace("%ID%", id);
        const version = await tenant.post(`/templates/${templates.options}/versions`, {
          source,
        });
        await patch(at.instanceId, { templateVersion: version.body.version });
      },
      act: acts("deploy"),
      states: ["SUCCEEDED"],
    },
    "destroys a partly created instance": {
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
        await sweepIfLost(id);
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
    "waits for approval until it expires": {
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
    "waits for approval while another run changes the instance": {
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
    "rolls back": {
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
    "is canceled while it waits for a slot": {
      template: "small",
      act: async (at) => {
        const { id, free } = await queued(at);
        expect((await tenant.post(`/deployments/${id}/cancel`)).body.state).toBe("CANCELED");
        // If the runner's notification was lost, it reads the state when its turn comes.
        await free();
        await closed(at, id);
        return [id];
      },
      states: ["CANCELED"],
    },
    "is canceled just before it starts, without a notification": {
      template: "small",
      act: async (at) => {
        const { id, free } = await queued(at);
        await env.DB.prepare(
          "UPDATE deployments SET state = 'CANCELED', version = version + 1 WHERE id = ?",
        )
          .bind(id)
          .run();
        await free();
        await closed(at, id);
        return [id];
      },
      states: ["CANCELED"],
    },
    "is canceled between two attempts": {
      template: "large",
      config: {
        faults: [{ kind: "networks", on: "create", status: 0, effect: "before", times: 999 }],
      },
      act: async ({ instanceId }) => {
        const id = await start(tenant, instanceId);
        await until("a call has failed", async () =>
          (await messagesOf(tenant, id)).some((line) => line.includes("Retrying in")),
        );
        expect((await tenant.post(`/deployments/${id}/cancel`)).status).toBe(202);
        await sweepIfLost(id);
        await untilOver(tenant, id);
        return [id];
      },
      states: ["CANCELED"],
    },
    "is abandoned while it creates": {
      template: "large",
      config: { readyAfterMs: 60_000 },
      act: async (at) => {
        const id = await creating(at);
        const abandoned = await operator.post(`/deployments/${id}/abandon`, {
          reason: "It hangs.",
        });
        expect(abandoned.status, abandoned.text).toBe(200);
        await scheduler.wait(50);
        // The fault may hit the notification: the sweep repeats it.
        if ((await phaseOf(at, id)) !== "closed")
          await sweepDeployments(env, Date.now() + 3_600_000);
        await closed(at, id);
        return [id];
      },
      states: ["FAILED"],
    },
    "cannot be read while it creates": {
      template: "large",
      config: { readyAfterMs: 60_000 },
      act: async (at) => {
        const id = await creating(at);
        await runInDurableObject(runnerOf(at.instanceId), (runner, { storage }) => {
          storage.sql.exec("UPDATE runs SET spec = '{not json' WHERE deployment_id = ?", id);
          // One fault makes the runner read its storage again.
          runner.now = () => {
            runner.now = Date.now;
            throw new TypeError("a fault that the test plans");
          };
        });
        await until("it has ended", async () => {
          await runnerOf(at.instanceId)
            .wake()
            .catch(() => undefined);
          await scheduler.wait(10);
          return (await tenant.get(`/deployments/${id}`)).body.state === "FAILED";
        });
        return [id];
      },
      states: ["FAILED"],
    },
    "checks for drift": {
      template: "small",
      prepare: async (at) => {
        await deployed(at);
        const [box] = await ledger(at.targetId);
        await atProvider(at.targetId, "PATCH", `buckets/${box?.id}`, { size: "three" });
      },
      act: async ({ instanceId }) => {
        const id = await start(tenant, instanceId, "check-drift");
        await untilOver(tenant, id);
        return [id];
      },
      states: ["SUCCEEDED"],
    },
  };
  /** The fault may hit the notification of an approval or a cancel: the sweep repeats it. */
  const sweepIfLost = async (id: string): Promise<void> => {
    await scheduler.wait(50);
    const { state } = (await tenant.get(`/deployments/${id}`)).body;
    if (state === "APPLYING" || state === "CANCELING")
      await sweepDeployments(env, Date.now() + 3_600_000);
  };

  const make = async ({ template, prepare, config, more }: Scene): Promise<Place> => {
    const targetId = await makeTarget(tenant, { ...config }, { maxConcurrentDeployments: 1 });
    const instanceId = await makeInstance(tenant, templates[template], targetId, {
      templateVersion: 1,
      ...more,
    });
    await prepare?.({ instanceId, targetId });
    return { targetId, instanceId };
  };

  const outcome: RunScenes["outcome"] = async (ids, { targetId, instanceId }) => {
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
    const claims = await runInDurableObject(
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)),
      (_, { storage }) => storage.sql.exec("SELECT type, object_id AS id FROM claims").toArray(),
    );
    const keys = (objects: readonly { type?: unknown; id?: unknown }[]) =>
      objects.map(({ type, id }) => `${String(type)} ${String(id)}`);
    const held = keys(resources.filter(({ state }) => state !== "LOST"));
    expect(claimProblems(instanceId, keys(claims), held)).toEqual([]);
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

  return { prepare, scenes, make, outcome };
}

async function setCloudForward({ targetId }: Pick<Place, "targetId">): Promise<void> {
  const cloud = env.MOCK_CLOUD.get(env.MOCK_CLOUD.idFromName(targetId));
  await runInDurableObject(cloud, (one) => {
    one.now = () => Date.now() + DAY_MS;
  });
}

/** Cases that run concurrently; each has its own instance and cloud. */
const AT_ONCE = 6;

export async function forEachFault<F>(
  faults: readonly F[],
  check: (fault: F) => Promise<void>,
): Promise<void> {
  const left = [...faults];
  const worker = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await check(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
