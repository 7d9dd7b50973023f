/**
 * A cancel of a run that waits for its cloud, for each verb and each kind of wait. The run ends at once, gives its slot
 * back, and keeps the object that its open call may have made. The next deployment or destroy handles that object.
 */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  addVersion,
  ledger,
  living,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
} from "#test/support/cloud.ts";
import { partOf } from "#test/support/depth.ts";
import { letBecomeReady } from "#test/support/let-become-ready.ts";
import { placedAt } from "#test/support/places.ts";
import { messagesOf, runnerOf, start, until, watchCommits } from "#test/support/runner.ts";

const template = (properties: string, options = ""): string => `name: waits
runtime: yaml
resources:
  base: { type: mock:Bucket, properties: { name: base } }
  app:
    type: mock:Server
    properties: { name: app, network: "\${base.id}"${properties} }
    options: { customTimeouts: { create: 1h, update: 1h, delete: 1h }${options} }
`;
const first = template(", image: v1, size: s");
const empty = `name: waits
runtime: yaml
resources:
  base: { type: mock:Bucket, properties: { name: base } }
`;

interface Verb {
  /** The template deployed before; absent: only the bucket. */
  from?: string;
  /** The template of the canceled run; absent: it destroys, or checks for drift. */
  to?: string;
  operation?: "destroy" | "check-drift";
  /** The calls that the cloud keeps waiting. */
  on: "create" | "update" | "delete" | "read";
  /**
   * The state of `app` afterwards, by the call's outcome: under way, unknown, or refused for now. Absent: no such wait.
   */
  kept: { polled?: string[]; unknown: string[]; refused: string[] };
}

const replaced = ["app PENDING_DELETE"];
const verbs: Record<string, Verb> = {
  create: {
    to: first,
    on: "create",
    kept: { polled: ["app UNREADY"], unknown: ["app LOST"], refused: [] },
  },
  update: {
    from: first,
    to: template(", image: v1, size: l"),
    on: "update",
    kept: { polled: ["app READY"], unknown: ["app READY"], refused: ["app READY"] },
  },
  "replacement, whose create comes first": {
    from: first,
    to: template(", image: v2, size: s"),
    on: "create",
    kept: {
      polled: [...replaced, "app UNREADY"],
      unknown: ["app LOST", ...replaced],
      refused: ["app READY"],
    },
  },
  "replacement, whose delete comes last": {
    from: first,
    to: template(", image: v2, size: s"),
    on: "delete",
    kept: {
      unknown: [...replaced, "app READY"],
      refused: [...replaced, "app READY"],
    },
  },
  "replacement, whose delete comes first": {
    from: template(", image: v1, size: s", ", deleteBeforeReplace: true"),
    to: template(", image: v2, size: s", ", deleteBeforeReplace: true"),
    on: "delete",
    kept: { polled: ["app UNREADY"], unknown: ["app UNREADY"], refused: ["app READY"] },
  },
  delete: {
    from: first,
    to: empty,
    on: "delete",
    kept: { polled: ["app UNREADY"], unknown: ["app UNREADY"], refused: ["app READY"] },
  },
  destroy: {
    from: first,
    operation: "destroy",
    on: "delete",
    kept: { polled: ["app UNREADY"], unknown: ["app UNREADY"], refused: ["app READY"] },
  },
  "drift check": {
    from: first,
    operation: "check-drift",
    on: "read",
    kept: { unknown: ["app READY"], refused: ["app READY"] },
  },
};

type Outcome = keyof Verb["kept"];
const outcomes: Record<Outcome, { config: (on: Verb["on"]) => JsonMap; said: RegExp }> = {
  polled: {
    config: (on) =>
      on === "create" ? { readyAfterMs: 3_600_000 } : { operations: { takesMs: 3_600_000 } },
    said: /app: in progress at the provider/,
  },
  unknown: { config: (on) => ({ faults: [fault(on, 503)] }), said: /app failed: .*Retrying in/ },
  refused: { config: (on) => ({ faults: [fault(on, 429)] }), said: /app failed: .*Retrying in/ },
};

function fault(on: Verb["on"], status: number): JsonMap {
  return { kind: "servers", on, status, times: 99 };
}

const cases = Object.entries(verbs).flatMap(([verb, { kept }]) =>
  (Object.keys(kept) as Outcome[]).flatMap((outcome) => [
    { verb, outcome, dies: false, next: "deploy" as const },
    { verb, outcome, dies: true, next: "destroy" as const },
  ]),
);

describe.concurrent("a cancel", () => {
  const resources = async (instanceId: string): Promise<string[]> =>
    (await runnerOf(instanceId).listResources())
      .filter(({ name }) => name === "app")
      .map(({ name, state }) => `${name} ${state}`)
      .sort();
  const placed = (targetId: string) =>
    runInDurableObject(env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId)), (_, state) =>
      placedAt(state.storage),
    );
  const make = async ({ from = empty }: Pick<Verb, "from">) => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(
      tenant,
      { longestRequestMs: 50 },
      { maxConcurrentDeployments: 1 },
    );
    const templateId = await makeTemplate(tenant, from);
    const instanceId = await makeInstance(tenant, templateId, targetId, { approvalMode: "auto" });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const behave = async (config: JsonMap) => {
      const none = { longestRequestMs: 50, operations: null, faults: null, readyAfterMs: null };
      const body = { config: { ...none, ...config } };
      const patched = await tenant.patch(`/cloud/targets/${targetId}`, body);
      expect(patched.status, patched.text).toBe(200);
    };
    return { tenant, targetId, templateId, instanceId, behave };
  };
  const said = async (tenant: TestTenant, deploymentId: string, what: RegExp): Promise<void> =>
    until(`the log says ${String(what)}`, async () =>
      (await messagesOf(tenant, deploymentId)).some((line) => what.test(line)),
    );

  it.for(partOf(cases, 3))(
    "of a $verb whose call is $outcome ends at once (the runner dies first: $dies), and a $next follows",
    { timeout: 30_000 },
    async ({ verb, outcome, dies, next }, { expect }) => {
      const { to, operation, on, kept, ...one } = verbs[verb] as Verb;
      const { tenant, targetId, templateId, instanceId, behave } = await make(one);
      if (to !== undefined) await addVersion(tenant, instanceId, templateId, to);
      await behave(outcomes[outcome].config(on));
      const deploymentId = await start(tenant, instanceId, operation ?? "deploy");
      await said(tenant, deploymentId, outcomes[outcome].said);
      if (dies) await evictDurableObject(runnerOf(instanceId));
      const canceledAtMs = Date.now();
      const canceling = await Promise.all(
        [1, 2].map(() => tenant.post(`/deployments/${deploymentId}/cancel`)),
      );
      for (const { status, body } of canceling)
        expect([202, 409], body.code ?? body.state).toContain(status);
      const over = await untilOver(tenant, deploymentId);
      expect(over.body, over.text).toMatchObject({ state: "CANCELED", error: null });
      expect(Date.now() - canceledAtMs).toBeLessThan(10_000);
      expect(await placed(targetId)).toEqual([]);
      expect(await resources(instanceId)).toEqual(kept[outcome]);
      const stopped = (await messagesOf(tenant, deploymentId)).filter((line) =>
        line.startsWith("Stopped before app was finished: the deployment was canceled."),
      );
      expect(stopped).toHaveLength(1);

      await behave(outcome === "polled" ? { operations: { takesMs: 0 } } : {});
      await letBecomeReady(targetId);
      const followed = await run(tenant, instanceId, next);
      const log = (await messagesOf(tenant, followed.body.id)).join("\n");
      // If the delete had taken effect, nothing is left to do.
      expect(["SUCCEEDED", "NO_CHANGES"], log).toContain(followed.body.state);
      const app = to === undefined || to.includes("app") ? ["servers/app"] : [];
      const all = next === "destroy" ? [] : ["buckets/base", ...app];
      expect(living(await ledger(targetId)), log).toEqual(all);
      if (next === "deploy")
        expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    },
  );

  it("of a run that waits for an object that is not usable yet leaves it as it is", async () => {
    const { tenant, targetId, templateId, instanceId, behave } = await make({});
    await behave(outcomes.polled.config("create"));
    await addVersion(tenant, instanceId, templateId, first);
    for (let round = 0; round < 2; round += 1) {
      const deploymentId = await start(tenant, instanceId);
      await said(tenant, deploymentId, /app: in progress at the provider/);
      await tenant.post(`/deployments/${deploymentId}/cancel`);
      expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
      expect(await resources(instanceId)).toEqual(["app UNREADY"]);
    }
    await behave({});
    expect((await run(tenant, instanceId, "destroy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual([]);
  });

  it("before the id of a new object is known keeps it as lost", async () => {
    const { tenant, targetId, templateId, instanceId, behave } = await make({});
    await addVersion(tenant, instanceId, templateId, first);
    await behave({ operations: { takesMs: 3_600_000 } });
    const deploymentId = await start(tenant, instanceId);
    await said(tenant, deploymentId, outcomes.polled.said);
    await tenant.post(`/deployments/${deploymentId}/cancel`);
    expect((await untilOver(tenant, deploymentId)).body.state).toBe("CANCELED");
    expect(await resources(instanceId)).toEqual(["app LOST"]);
    await behave({ operations: { takesMs: 0 } });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    expect(living(await ledger(targetId))).toEqual(["buckets/base", "servers/app"]);
  });

  it.for([1, 2, 3])("ends also if the runner dies after commit %i of it", async (commit) => {
    const { tenant, templateId, instanceId, behave } = await make({});
    await addVersion(tenant, instanceId, templateId, first);
    await behave(outcomes.polled.config("create"));
    const deploymentId = await start(tenant, instanceId);
    await said(tenant, deploymentId, outcomes.polled.said);
    const seen = await watchCommits(instanceId, { when: "after", commit });
    await tenant.post(`/deployments/${deploymentId}/cancel`).catch(() => undefined);
    await until("the runner dies", () => seen.crashed);
    await runnerOf(instanceId).wake();
    expect((await untilOver(tenant, deploymentId)).body).toMatchObject({ state: "CANCELED" });
    expect(await resources(instanceId)).toEqual(["app UNREADY"]);
  });

  it("of an update leaves an object that a drift check does not report as unchanged", async () => {
    const { tenant, templateId, instanceId, behave } = await make({ from: first });
    await addVersion(tenant, instanceId, templateId, template(", image: v1, size: l"));
    await behave(outcomes.unknown.config("update"));
    const deploymentId = await start(tenant, instanceId);
    await said(tenant, deploymentId, outcomes.unknown.said);
    await tenant.post(`/deployments/${deploymentId}/cancel`);
    await untilOver(tenant, deploymentId);
    await behave({});
    const check = await untilOver(tenant, await start(tenant, instanceId, "check-drift"));
    expect((await messagesOf(tenant, check.body.id)).at(-1)).toBe(
      "No drift was found, but the last change of app was not seen to end. A deploy makes it again.",
    );
    expect((await tenant.get(`/instances/${instanceId}`)).body.drift).toBe("UNKNOWN");
    // The template as it was before: the update may still have taken effect.
    await addVersion(tenant, instanceId, templateId, first);
    const back = await run(tenant, instanceId, "deploy");
    expect(back.body).toMatchObject({ state: "SUCCEEDED", summary: { update: 1 } });
  });
});
