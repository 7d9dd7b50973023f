/** Plans that wait for approval: the first decision wins, a plan holds no slot, and a lost notification blocks none. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { type Answer, type clientOf, makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { emptyDatabase } from "#test/support/empty-database.ts";
import { makeMember } from "#test/support/members.ts";
import { placedAt } from "#test/support/places.ts";
import { eventsOf, holdBefore, messagesOf, runnerOf, start, until } from "#test/support/runner.ts";
import { together } from "#test/support/together.ts";

const source = `name: waiting
runtime: yaml
config:
  size: { type: string, default: small }
resources:
  app: { type: mock:Server, properties: { name: app, size: "\${size}" } }
`;
const DAY_MS = 86_400_000;
const waited = ["queued", "started", "planned", "approval_required"];

describe("a plan that waits for approval", () => {
  let tenant: TestTenant;
  let approver: ReturnType<typeof clientOf>;
  let templateId: string;
  let targetId: string;
  beforeAll(async () => {
    await emptyDatabase();
    tenant = await makeTenant();
    templateId = await makeTemplate(tenant, source);
    targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const scopes = ["deployments:approve", "deployments:write"];
    approver = await makeMember(tenant.tenantId, "CustomerAdmin", scopes);
  });

  const parked = async () => {
    const instanceId = await makeInstance(tenant, templateId, targetId, {
      approvalMode: "always",
    });
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    return { instanceId, id: body.id as string };
  };
  const read = async (id: string): Promise<Answer["body"]> =>
    (await tenant.get(`/deployments/${id}`)).body;
  const phaseOf = async (instanceId: string, id: string) =>
    runInDurableObject(
      runnerOf(instanceId),
      (_, { storage }) =>
        storage.sql.exec("SELECT phase FROM runs WHERE deployment_id = ?", id).one()["phase"],
    );
  const passDays = async (instanceId: string, days: number) =>
    runInDurableObject(runnerOf(instanceId), (runner) => {
      runner.now = () => Date.now() + days * DAY_MS;
    });
  /** Writes a state to D1, like a commit whose notification is lost. */
  const setStateOnly = async (id: string, state: string) =>
    env.DB.prepare("UPDATE deployments SET state = ?2, version = version + 1 WHERE id = ?1")
      .bind(id, state)
      .run();
  const followed = async (id: string): Promise<string> =>
    (
      await tenant.get(`/deployments/${id}/log`, {
        accept: "text/event-stream",
      })
    ).text.trimEnd();

  it("holds no slot, and is superseded once another deployment has changed the instance", async () => {
    const { instanceId, id } = await parked();
    await tenant.patch(`/instances/${instanceId}`, { approvalMode: "auto" });
    // The target's only slot is free.
    expect((await run(tenant, instanceId, "plan")).body.state).toBe("SUCCEEDED");
    expect((await read(id)).state).toBe("AWAITING_APPROVAL");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    await untilState(tenant, id, (state) => state === "SUPERSEDED");
    expect(await eventsOf(id)).toEqual([...waited, "superseded"]);
    expect((await messagesOf(tenant, id)).at(-1)).toBe("Superseded.");
    const late = await approver.post(`/deployments/${id}/approve`);
    expect([late.status, late.body.code]).toEqual([409, "stale_plan"]);
  });

  it("keeps waiting if the other deployment changed nothing", async () => {
    const { instanceId, id } = await parked();
    await approver.post(`/deployments/${id}/approve`);
    await untilState(tenant, id, (state) => state === "SUCCEEDED");
    await tenant.patch(`/instances/${instanceId}`, {
      variables: { size: "large" },
    });
    const waiting = await run(tenant, instanceId, "deploy");
    await tenant.patch(`/instances/${instanceId}`, {
      variables: { size: "small" },
    });
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("NO_CHANGES");
    expect((await read(waiting.body.id)).state).toBe("AWAITING_APPROVAL");
  });

  it.for(["alarm", "sweep"] as const)("expires after seven days, by %s", async (by) => {
    const { instanceId, id } = await parked();
    await until("the runner sleeps until then", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        async (_, { storage }) => Number(await storage.getAlarm()) > Date.now() + 6.9 * DAY_MS,
      ),
    );
    await passDays(instanceId, 6.9);
    await runnerOf(instanceId).wake();
    await sweepDeployments(env, Date.now() + 6.9 * DAY_MS);
    expect((await read(id)).state).toBe("AWAITING_APPROVAL");
    await passDays(instanceId, 7.01);
    if (by === "alarm") await runnerOf(instanceId).wake();
    else await sweepDeployments(env, Date.now() + 7.01 * DAY_MS);
    const over = await untilState(tenant, id, (state) => state === "EXPIRED");
    expect(Date.parse(over.body.timestamps.EXPIRED)).toBeGreaterThan(Date.now() + 6 * DAY_MS);
    expect(over.body.actions).toEqual([]);
    expect(await eventsOf(id)).toEqual([...waited, "expired"]);
    expect((await messagesOf(tenant, id)).at(-1)).toContain("Expired");
    expect(await phaseOf(instanceId, id)).toBe("closed");
  });

  const approve = (id: string) => () => approver.post(`/deployments/${id}/approve`);
  const discard = (id: string) => () => approver.post(`/deployments/${id}/discard`);
  it.for([
    ["approve and approve", [approve, approve]],
    ["approve and discard", [approve, discard]],
    ["discard and discard", [discard, discard]],
  ] as const)("lets only one of two concurrent decisions win: %s", async ([, calls]) => {
    const { instanceId, id } = await parked();
    const answers = await together(id, ...calls.map((call) => call(id)));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(["conflict", "invalid_state"]).toContain(
      answers.find(({ status }) => status >= 300)?.body.code,
    );
    const discarded = answers.find(({ status }) => status < 300)?.body.state === "DISCARDED";
    const over = await untilState(tenant, id, (state) => state !== "APPLYING");
    expect(over.body.state).toBe(discarded ? "DISCARDED" : "SUCCEEDED");
    expect(await eventsOf(id)).toEqual([
      ...waited,
      ...(discarded ? ["discarded"] : ["approved", "applying", "succeeded"]),
    ]);
    const messages = await messagesOf(tenant, id);
    expect(messages.filter((m) => m === "Approved." || m === "Discarded.")).toHaveLength(1);
    expect(await phaseOf(instanceId, id)).toBe("closed");
  });

  it("is either approved or expired if both happen concurrently", async () => {
    const { instanceId, id } = await parked();
    await passDays(instanceId, 7.01);
    const [answer] = await Promise.all([approve(id)(), runnerOf(instanceId).wake()]);
    const approved = answer.status === 202;
    const over = await untilState(tenant, id, (state) => ["SUCCEEDED", "EXPIRED"].includes(state));
    expect(over.body.state).toBe(approved ? "SUCCEEDED" : "EXPIRED");
    expect(await eventsOf(id)).toEqual([
      ...waited,
      ...(approved ? ["approved", "applying", "succeeded"] : ["expired"]),
    ]);
  });

  it("does not expire once it is approved, even if the notification was lost", async () => {
    const { instanceId, id } = await parked();
    await setStateOnly(id, "APPLYING");
    await passDays(instanceId, 7.01);
    await runnerOf(instanceId).wake();
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
    expect(await eventsOf(id)).toEqual([...waited, "applying", "succeeded"]);
  });

  it.for(["DISCARDED", "EXPIRED", "SUPERSEDED"])(
    "in %s ends the log for a reader, even if the notification was lost",
    async (state) => {
      const { instanceId, id } = await parked();
      await setStateOnly(id, state);
      const page = await tenant.get(`/deployments/${id}/log`);
      expect(page.body.data.at(-1).message).toContain(state.slice(1).toLowerCase());
      const text = await followed(id);
      expect(text.endsWith("event: end\ndata: {}")).toBe(true);
      expect(text).toContain(state.slice(1).toLowerCase());
      expect(await phaseOf(instanceId, id)).toBe("closed");
      expect((await tenant.get(`/deployments/${id}/log`)).body.pruned).toBe(false);
    },
  );

  it("in DISCARDED ends the log for a waiting reader, even if the notification was lost", async () => {
    const { instanceId, id } = await parked();
    const { entries } = await runnerOf(instanceId).readLog(id, 0);
    await setStateOnly(id, "DISCARDED");
    const next = await runnerOf(instanceId).readLog(id, entries.length, {
      waitMs: 20,
    });
    expect(next.entries.map(({ message }) => message)).toEqual(["Discarded."]);
    expect(next.ended).toBe(true);
  });

  it("has an alarm again as soon as anything is asked of a runner that lost it", async () => {
    const { instanceId, id } = await parked();
    await until("the runner sleeps until it expires", async () =>
      runInDurableObject(
        runnerOf(instanceId),
        async (_, { storage }) => Number(await storage.getAlarm()) > Date.now() + 6.9 * DAY_MS,
      ),
    );
    await runInDurableObject(runnerOf(instanceId), (_, { storage }) => storage.deleteAlarm());
    await evictDurableObject(runnerOf(instanceId));
    await runnerOf(instanceId).listResources();
    const alarmAtMs = await runInDurableObject(runnerOf(instanceId), (_, { storage }) =>
      storage.getAlarm(),
    );
    expect(alarmAtMs).not.toBeNull();
    expect((await read(id)).state).toBe("AWAITING_APPROVAL");
  });

  it("is resumed by the sweep if the notification of its approval was lost", async () => {
    const { id } = await parked();
    await setStateOnly(id, "APPLYING");
    await sweepDeployments(env, Date.now() + 60_000);
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
  });

  it("ends with a reason if the instance changes between approval and start", async () => {
    const { instanceId, id } = await parked();
    await tenant.patch(`/instances/${instanceId}`, { approvalMode: "auto" });
    await setStateOnly(id, "APPLYING");
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    const over = await untilOver(tenant, id);
    expect(over.body).toMatchObject({
      state: "FAILED",
      error: { code: "stale_plan" },
    });
  });

  it("superseded in the target's queue frees its place, even if the notification was lost", async () => {
    const slow = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const holder = await makeInstance(tenant, templateId, slow);
    const hold = await holdBefore(holder, 4);
    const first = await start(tenant, holder);
    await hold.reached();
    const instanceId = await makeInstance(tenant, templateId, slow);
    const second = await start(tenant, instanceId);
    await until("the second waits", async () => (await read(second)).blockedBy?.position === 1);
    await setStateOnly(second, "SUPERSEDED");
    expect(await followed(second)).toContain("event: end");
    await until(
      "its runner has closed the run",
      async () => (await phaseOf(instanceId, second)) === "closed",
    );
    expect((await messagesOf(tenant, second)).at(-1)).toBe("Superseded.");
    const places = await runInDurableObject(
      env.TARGET_GATE.get(env.TARGET_GATE.idFromName(slow)),
      (_, { storage }) => placedAt(storage),
    );
    expect(places).toEqual([{ id: first }]);
    hold.release();
    expect((await untilOver(tenant, first)).body.state).toBe("SUCCEEDED");
  });
});
