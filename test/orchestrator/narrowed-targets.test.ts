/**
 * A narrowed target also binds deployments that are queued, wait for approval or were approved: none of them begins.
 */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId } from "#platform/ids.ts";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import {
  ledger,
  makeInstance,
  makeTarget,
  makeTemplate,
  run,
  untilOver,
  untilState,
} from "#test/support/cloud.ts";
import { makeMember } from "#test/support/members.ts";
import { runnerOf, start, until } from "#test/support/runner.ts";

const template = (properties: string) => `name: regions
runtime: yaml
resources:
  app: { type: mock:Server, properties: { name: app${properties} } }
`;
/** Objects in the target's region and in a region that the template names. */
const byTarget = template("");
const byName = template(", region: eu-1");

const gone = { allowedRegions: ["eu-2"], defaultRegion: "eu-2" };
/** The target's own region stays. */
const others = { allowedRegions: ["eu-2"] };

const lost = /^The target sandbox no longer allows the region eu-1, .* It allows eu-2\. /;
const named =
  /app is in the region eu-1, which the target sandbox does not allow\. It allows eu-2\./;

interface Row {
  source: string;
  region: string;
  change: JsonMap;
  message: RegExp;
}
const rows: Row[] = [
  { source: byTarget, region: "eu-1", change: gone, message: lost },
  { source: byName, region: "eu-2", change: others, message: named },
];

describe.concurrent("a region that is taken from a target", () => {
  let tenant: TestTenant;
  let approver: Awaited<ReturnType<typeof makeMember>>;
  beforeAll(async () => {
    tenant = await makeTenant();
    const scopes = ["deployments:approve", "deployments:write"];
    approver = await makeMember(tenant.tenantId, "CustomerAdmin", scopes);
  });

  const make = async ({ source, region }: Pick<Row, "source" | "region">, more: JsonMap = {}) => {
    const targetId = await makeTarget(
      tenant,
      {},
      {
        name: "sandbox",
        allowedRegions: ["eu-1", "eu-2"],
        defaultRegion: region,
        maxConcurrentDeployments: 1,
      },
    );
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId, more);
    const narrow = async (body: JsonMap) => {
      const patched = await tenant.patch(`/cloud/targets/${targetId}`, body);
      expect(patched.status, patched.text).toBe(200);
    };
    return { targetId, instanceId, narrow };
  };
  /** Another run has the only slot until it is given back. */
  const occupy = async (targetId: string) => {
    const gate = env.TARGET_GATE.get(env.TARGET_GATE.idFromName(targetId));
    const holder = { deploymentId: newId(), instanceId: newId(), capacity: 1, now: Date.now() };
    await gate.acquire(holder);
    return () => gate.release(holder.deploymentId);
  };
  const waitsForSlot = (id: string) =>
    until("it waits for a slot", async () =>
      (await tenant.get(`/deployments/${id}/log`)).text.includes("Waiting for a slot"),
    );
  const expectRefused = async (id: string, targetId: string, message: RegExp) => {
    const over = await untilState(tenant, id, (state) => state === "FAILED");
    expect(over.body.error, over.text).toMatchObject({
      code: "region_not_allowed",
      fault: "user",
      message: expect.stringMatching(message),
    });
    expect(await ledger(targetId)).toEqual([]);
  };

  it.for(rows)("ends what waits for a slot", async ({ change, message, ...row }) => {
    const { targetId, instanceId, narrow } = await make(row);
    const release = await occupy(targetId);
    const id = await start(tenant, instanceId);
    await waitsForSlot(id);
    await narrow(change);
    await release();
    await runnerOf(instanceId).wake();
    await expectRefused(id, targetId, message);
  });

  it.for(rows)(
    "ends what waits for approval once it is approved",
    async ({ change, message, ...row }) => {
      const { targetId, instanceId, narrow } = await make(row, { approvalMode: "always" });
      const id = await start(tenant, instanceId);
      await untilState(tenant, id, (state) => state === "AWAITING_APPROVAL");
      await narrow(change);
      const approved = await approver.post(`/deployments/${id}/approve`);
      expect(approved.status, approved.text).toBe(202);
      await expectRefused(id, targetId, message);
    },
  );

  it.for(rows)(
    "ends what is approved and waits for a slot",
    async ({ change, message, ...row }) => {
      const { targetId, instanceId, narrow } = await make(row, { approvalMode: "always" });
      const id = await start(tenant, instanceId);
      await untilState(tenant, id, (state) => state === "AWAITING_APPROVAL");
      const release = await occupy(targetId);
      const approved = await approver.post(`/deployments/${id}/approve`);
      expect(approved.status, approved.text).toBe(202);
      await waitsForSlot(id);
      await narrow(change);
      await release();
      await runnerOf(instanceId).wake();
      await expectRefused(id, targetId, message);
    },
  );

  it("ends a plan, which would be of what may not be made", async () => {
    const [, row] = rows as [Row, Row];
    const { targetId, instanceId, narrow } = await make(row);
    await narrow(others);
    const planned = await run(tenant, instanceId, "plan");
    expect(planned.body).toMatchObject({ state: "FAILED", error: { code: "region_not_allowed" } });
    expect(await ledger(targetId)).toEqual([]);
  });

  it("is one that nobody uses: a deployment goes on, and another one may have the region that was added", async () => {
    const { targetId, instanceId, narrow } = await make({ source: byName, region: "eu-1" });
    const release = await occupy(targetId);
    const id = await start(tenant, instanceId);
    await waitsForSlot(id);
    await narrow({ allowedRegions: ["eu-1", "eu-3"] });
    await release();
    await runnerOf(instanceId).wake();
    expect((await untilOver(tenant, id)).body.state).toBe("SUCCEEDED");
  });
});
