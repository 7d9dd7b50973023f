/** A safeguard that is raised holds for what is queued or waits: nothing that it forbids is applied afterwards. */
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type Client, makeTenant, type TestTenant } from "#test/support/api.ts";
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
import { holdBefore } from "#test/support/runner.ts";
import { overtaken } from "#test/support/together.ts";

const source =
  "name: raised\nruntime: yaml\nresources:\n  box: { type: mock:Bucket, properties: { name: box } }\n";
const empty = "name: raised\nruntime: yaml\nresources: {}\n";
const ended = (state: string) => state !== "QUEUED" && state !== "PLANNING" && state !== "APPLYING";

describe("whoever queued or planned it before a safeguard was raised", () => {
  let tenant: TestTenant;
  let developer: Client;
  let approver: Client;
  beforeAll(async () => {
    tenant = await makeTenant();
    developer = await makeMember(tenant.tenantId, "CustomerDeveloper");
    approver = await makeMember(tenant.tenantId, "CustomerAdmin");
  });

  const deployed = async () => {
    const targetId = await makeTarget(tenant, {}, { maxConcurrentDeployments: 1 });
    const templateId = await makeTemplate(tenant, source);
    const instanceId = await makeInstance(tenant, templateId, targetId);
    expect((await run(tenant, instanceId, "deploy")).body.state).toBe("SUCCEEDED");
    return { targetId, templateId, instanceId };
  };
  const patch = async (instanceId: string, body: JsonMap, path = "/instances") => {
    const answer = await tenant.patch(`${path}/${instanceId}`, body);
    expect(answer.status, answer.text).toBe(200);
  };
  const approve = (client: Client, id: string) => client.post(`/deployments/${id}/approve`);

  /** The deployment stays QUEUED, its inputs loaded, while `raise` runs. */
  const queuedWhile = async (
    { instanceId, templateId }: { instanceId: string; templateId: string },
    operation: "destroy" | "empty deploy",
    raise: () => Promise<void>,
  ) => {
    if (operation === "empty deploy") {
      await developer.post(`/templates/${templateId}/versions`, { source: empty });
      await developer.patch(`/instances/${instanceId}`, { templateVersion: 2 });
    }
    // The first commit stores the frozen inputs, the second begins to plan.
    const hold = await holdBefore(instanceId, 2);
    const started =
      operation === "destroy"
        ? await tenant.post(`/instances/${instanceId}/destroy`)
        : await developer.post(`/instances/${instanceId}/deploy`);
    expect(started.status, started.text).toBe(202);
    await hold.reached();
    expect((await tenant.get(`/deployments/${started.body.id}`)).body.state).toBe("QUEUED");
    await raise();
    hold.release();
    return untilOver(tenant, started.body.id);
  };

  for (const operation of ["destroy", "empty deploy"] as const) {
    it(`does not delete by a queued ${operation} once the instance is protected`, async () => {
      const at = await deployed();
      const { body } = await queuedWhile(at, operation, () =>
        patch(at.instanceId, { protectedFromDestroy: true, approvalMode: "always" }),
      );
      expect(body).toMatchObject({ state: "FAILED", error: { code: "resource_protected" } });
      expect(living(await ledger(at.targetId))).toEqual(["buckets/box"]);
    });

    it(`does not delete without approval by a queued ${operation} once it is required`, async () => {
      const at = await deployed();
      const { body } = await queuedWhile(at, operation, () =>
        patch(at.instanceId, { approvalMode: "always" }),
      );
      expect(body.state).toBe("AWAITING_APPROVAL");
      expect(living(await ledger(at.targetId))).toEqual(["buckets/box"]);
    });

    it(`does not delete without approval by a queued ${operation} once the target is production`, async () => {
      const at = await deployed();
      const { body } = await queuedWhile(at, operation, () =>
        patch(at.targetId, { environment: "production" }, "/cloud/targets"),
      );
      expect(body.state).toBe("AWAITING_APPROVAL");
    });
  }

  const waiting = async (approvalMode = "destructive") => {
    const at = await deployed();
    await patch(at.instanceId, { approvalMode });
    const { body } = await run(tenant, at.instanceId, "destroy");
    expect(body.state).toBe("AWAITING_APPROVAL");
    return { ...at, id: body.id as string };
  };

  it("does not delete by an approval after the instance is protected", async () => {
    const { id, instanceId, targetId } = await waiting("always");
    await patch(instanceId, { protectedFromDestroy: true });
    const refused = await approve(approver, id);
    expect([refused.status, refused.body.code]).toEqual([409, "resource_protected"]);
    expect(refused.body.detail).toContain(`POST /deployments/${id}/discard`);
    expect((await tenant.get(`/deployments/${id}`)).body.state).toBe("AWAITING_APPROVAL");
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
    await patch(instanceId, { protectedFromDestroy: false });
    expect((await approve(approver, id)).status).toBe(202);
    expect((await untilState(tenant, id, ended)).body.state).toBe("SUCCEEDED");
  });

  it("does not approve alone once another person must", async () => {
    const { id, instanceId } = await waiting("destructive");
    expect((await tenant.get(`/deployments/${id}`)).body.actions).toContain("approve");
    await patch(instanceId, { approvalMode: "always" });
    expect((await tenant.get(`/deployments/${id}`)).body.actions).not.toContain("approve");
    const refused = await approve(tenant, id);
    expect([refused.status, refused.body.code]).toEqual([403, "forbidden"]);
    expect((await approve(approver, id)).status).toBe(202);
  });

  it("does not delete by an approval that the protection overtakes", async () => {
    const { id, instanceId, targetId } = await waiting("always");
    const [refused, raised] = await overtaken(
      id,
      () => approve(approver, id),
      () => tenant.patch(`/instances/${instanceId}`, { protectedFromDestroy: true }),
    );
    expect(raised?.status).toBe(200);
    expect([refused?.status, refused?.body.code]).toEqual([409, "resource_protected"]);
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
  });

  it("does not delete by an approved plan that has not begun when the instance is protected", async () => {
    const { id, instanceId, targetId } = await waiting("always");
    // D1 has the approval, the runner has not adopted it.
    const hold = await holdBefore(instanceId, 1);
    expect((await approve(approver, id)).status).toBe(202);
    await hold.reached();
    await patch(instanceId, { protectedFromDestroy: true });
    hold.release();
    const { body } = await untilState(tenant, id, ended);
    expect(body).toMatchObject({ state: "FAILED", error: { code: "resource_protected" } });
    expect(living(await ledger(targetId))).toEqual(["buckets/box"]);
    expect((await tenant.get(`/instances/${instanceId}`)).body.state).toBe("ACTIVE");
  });
});
