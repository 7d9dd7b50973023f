/** `GET /operations/runs`: what operators see of the deployments that have not ended. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { listRunsEndpoint } from "#areas/operations/contract.ts";
import { InstanceRunner } from "#orchestrator/runner/instance-runner.ts";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant, OPERATOR_KEY, operator, type TestTenant } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, untilState } from "#test/support/cloud.ts";
import { ask } from "#test/support/declared.ts";

const source = `resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;
const HOUR_MS = 3_600_000;

interface Run {
  id: string;
  deployment: { state: string; blockedBy: { kind: string; position: number } | null };
  instanceName: string;
  openSeconds: number;
  idleSeconds: number;
  runner: {
    phase: string | null;
    nextTurnAt: string | null;
    faults: number;
    lastProblem: { level: string; message: string; resource: string | null } | null;
  } | null;
}

let tenant: TestTenant;
let other: TestTenant;
const ids: Record<"parked" | "applying" | "queued" | "ended" | "foreign", string> = {
  parked: "",
  applying: "",
  queued: "",
  ended: "",
  foreign: "",
};

async function list(query: JsonMap): Promise<{ data: Run[]; nextCursor: string | null }> {
  const text = new URLSearchParams(query as Record<string, string>).toString();
  const answer = await ask(listRunsEndpoint, `/operations/runs?${text}`, { key: OPERATOR_KEY });
  return answer.body;
}

async function deploy(
  of: TestTenant,
  targetId: string,
  name: string,
  state: string,
  more: JsonMap = {},
): Promise<string> {
  const templateId = await makeTemplate(of, source);
  const instanceId = await makeInstance(of, templateId, targetId, { name, ...more });
  const started = await of.post(`/instances/${instanceId}/deploy`);
  await untilState(of, started.body.id, (now) => now === state);
  return started.body.id;
}

beforeAll(async () => {
  [tenant, other] = [await makeTenant(), await makeTenant()];
  const slow = await makeTarget(
    tenant,
    {
      readyAfterMs: HOUR_MS,
      faults: [{ kind: "networks", on: "create", times: 1, status: 503 }],
    },
    { maxConcurrentDeployments: 1 },
  );
  const quick = await makeTarget(tenant);
  ids.parked = await deploy(tenant, quick, "parked", "AWAITING_APPROVAL", {
    approvalMode: "always",
  });
  ids.applying = await deploy(tenant, slow, "applying", "APPLYING");
  ids.queued = await deploy(tenant, slow, "queued", "QUEUED");
  ids.ended = await deploy(tenant, quick, "ended", "SUCCEEDED");
  ids.foreign = await deploy(other, await makeTarget(other), "foreign", "AWAITING_APPROVAL", {
    approvalMode: "always",
  });
});

describe("open deployments", () => {
  it("are listed with what they wait for and what their runners say, those that ended are not", async () => {
    const { tenantId } = tenant;
    await vi.waitFor(async () => {
      const { data } = await list({ tenantId });
      const found = new Map(data.map((run) => [run.id, run]));
      expect([...found.keys()].toSorted()).toEqual(
        [ids.parked, ids.applying, ids.queued].toSorted(),
      );
      const parked = found.get(ids.parked);
      expect(parked).toMatchObject({
        instanceName: "parked",
        deployment: { state: "AWAITING_APPROVAL", blockedBy: { kind: "approval" } },
        runner: { phase: "parked", faults: 0, lastProblem: null },
      });
      expect(parked?.runner?.nextTurnAt).not.toBeNull();
      expect(found.get(ids.applying)).toMatchObject({
        deployment: { state: "APPLYING", blockedBy: null },
        runner: { phase: "applying", lastProblem: { level: "warn", resource: "net" } },
      });
      expect(found.get(ids.queued)).toMatchObject({
        deployment: { state: "QUEUED", blockedBy: { kind: "target_capacity", position: 1 } },
        runner: { phase: "gate", lastProblem: null },
      });
      for (const run of data) expect(run.openSeconds).toBeGreaterThanOrEqual(run.idleSeconds);
    });
  });

  it("are walked page by page, the one without progress for longest first, by state and tenant", async () => {
    const { tenantId } = tenant;
    const parked = { tenantId, state: "AWAITING_APPROVAL,QUEUED" };
    const first = await list({ ...parked, limit: "1" });
    expect(first.data.map(({ id }) => id)).toEqual([ids.parked]);
    const cursor = first.nextCursor ?? "";
    const second = await list({ ...parked, limit: "1", cursor });
    expect(second.data.map(({ id }) => id)).toEqual([ids.queued]);
    expect(second.nextCursor).toBeNull();
    for (const query of [
      { tenantId, cursor },
      { ...parked, tenantId: other.tenantId, cursor },
    ]) {
      const refused = await operator.get(
        `/operations/runs?${new URLSearchParams(query).toString()}`,
      );
      expect([refused.status, refused.body.code]).toEqual([400, "invalid_cursor"]);
    }
    const all = await list({ limit: "100", state: "AWAITING_APPROVAL" });
    expect(all.data.map(({ id }) => id)).toEqual(expect.arrayContaining([ids.parked, ids.foreign]));
    const ended = await operator.get(`/operations/runs?state=SUCCEEDED`);
    expect(ended.status).toBe(400);
  });

  it("are each on one page, also those without progress for equally long", async () => {
    const { tenantId } = tenant;
    const open = [ids.parked, ids.applying, ids.queued];
    await env.DB.prepare(
      "UPDATE deployments SET updated_at_ms = 1000 WHERE tenant_id = ? AND id IN (SELECT value FROM json_each(?))",
    )
      .bind(tenantId, JSON.stringify(open))
      .run();
    const found: string[] = [];
    for (let cursor = ""; ;) {
      const page = await list({ tenantId, limit: "1", ...(cursor === "" ? {} : { cursor }) });
      found.push(...page.data.map(({ id }) => id));
      if (page.nextCursor === null) break;
      cursor = page.nextCursor;
    }
    expect(found).toEqual(open.toSorted());
  });

  it("are listed although a runner does not answer", async () => {
    const silent = vi
      .spyOn(InstanceRunner.prototype, "standingOf")
      .mockRejectedValue(new Error("The runner died."));
    try {
      const { data } = await list({ tenantId: tenant.tenantId, state: "AWAITING_APPROVAL" });
      expect(data).toMatchObject([{ id: ids.parked, runner: null }]);
    } finally {
      silent.mockRestore();
    }
  });

  it("are shown to operators alone", async () => {
    const { status, body } = await tenant.get("/operations/runs");
    expect([status, body.code]).toEqual([403, "forbidden"]);
  });
});
