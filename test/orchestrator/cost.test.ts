/**
 * Pins the service's work that Cloudflare bills: rows that D1 and the objects write and read, requests to objects,
 * queue messages. docs/operations.md converts it into prices, decision 0058 has its reasons. A change that costs more
 * must change the figure here, and those pages.
 */
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { billedRows, type Charges, chargesOf, total } from "#test/support/billing-meter.ts";
import { addVersion, makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { runnerOf, until } from "#test/support/runner.ts";
import { answerEveryReceiver } from "#test/support/world.ts";

answerEveryReceiver();

const DAY_MS = 86_400_000;
const source = (servers: number) => `name: eight
runtime: yaml
resources:
${Array.from({ length: servers }, (_, at) => `  s${at}: { type: mock:Server, properties: { name: s${at} } }`).join("\n")}
outputs:
  id: \${s0.id}
`;

/** Rows written, by what is written. */
function written(charges: Charges): Record<string, number> {
  const rows = Object.entries(charges).flatMap(([name, charge]): [string, number][] =>
    charge.written === 0 ? [] : [[name, charge.written]],
  );
  return Object.fromEntries(rows);
}

function times(charges: Charges, of: RegExp): Record<string, number> {
  return Object.fromEntries(
    Object.entries(charges).flatMap(([name, charge]): [string, number][] =>
      of.test(name) ? [[name, charge.times]] : [],
    ),
  );
}

const requests = (charges: Charges) => times(charges, /^(?:request|message)/);

/** Deploys, and waits until the runner's only remaining work is to prune its log one day. */
async function deploying(tenant: TestTenant, instanceId: string): Promise<Charges> {
  const runner = runnerOf(instanceId);
  return chargesOf(async () => {
    const { body } = await run(tenant, instanceId, "deploy");
    expect(body.state === "SUCCEEDED" || body.state === "NO_CHANGES", body.state).toBe(true);
    await until("the runner rests", async () => {
      const alarm = await runInDurableObject(runner, (_, { storage }) => storage.getAlarm());
      return (alarm ?? 0) > Date.now() + DAY_MS / 2;
    });
  }, tenant.tenantId);
}

describe("the bill", () => {
  // Suites share the Worker, and runs of earlier suites go on.
  it("is the tenant's own, whatever others do meanwhile", async () => {
    const make = async () => {
      const tenant = await makeTenant();
      const at = [await makeTemplate(tenant, source(1)), await makeTarget(tenant)] as const;
      return { tenant, instanceId: await makeInstance(tenant, ...at) };
    };
    const [one, other, stranger] = [await make(), await make(), await make()];
    const alone = await deploying(one.tenant, one.instanceId);
    const another = run(stranger.tenant, stranger.instanceId, "deploy");
    const beside = await deploying(other.tenant, other.instanceId);
    expect((await another).body.state).toBe("SUCCEEDED");
    expect(written(beside)).toEqual(written(alone));
    expect(requests(beside)).toEqual(requests(alone));
  });

  it("of a first deployment of eight creates at a new target, of one without changes, and of one that updates", async () => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, source(8));
    const instanceId = await makeInstance(tenant, templateId, targetId);

    const first = await deploying(tenant, instanceId);
    expect(written(first)).toEqual({
      "d1 audit_events": 2,
      "d1 deployment_plans": 2,
      "d1 deployments": 20,
      "d1 events": 6,
      "d1 instances": 6,
      "d1 monthly_usage": 1,
      "gate claims": 16,
      "gate its tables": 7,
      "gate slots": 2,
      "gate target": 1,
      "runner alarms": 3,
      "runner facts": 4,
      "runner its tables": 10,
      "runner journal": 20,
      "runner resources": 8,
      "runner runs": 5,
      "runner snapshots": 4,
    });
    expect(billedRows(first)).toBe(117);

    expect(requests(first)).toEqual({
      "message deployments": 1,
      "request gate acquire": 1,
      // One row for each create, and the rows of the state before and after.
      "request gate claim": 10,
      "request gate release": 1,
      "request runner alarm": 1,
      "request runner notify": 1,
    });

    const again = await deploying(tenant, instanceId);
    expect(total(again, "written", /^d1/)).toBe(29);
    expect(total(again, "written", /^gate/)).toBe(2);
    expect(total(again, "written", /^runner/)).toBe(14);
    expect(requests(again)).toMatchObject({ "request gate claim": 1, "request runner alarm": 1 });
    // Reads cost a thousandth of writes. Those of the test itself are among them.
    for (const charges of [first, again]) expect(total(charges, "read")).toBeLessThan(450);

    const other = await makeInstance(tenant, templateId, targetId);
    // Without the tables of the gate and the row of the target.
    expect(billedRows(await deploying(tenant, other))).toBe(109);

    await addVersion(tenant, instanceId, templateId, source(9));
    expect(billedRows(await deploying(tenant, instanceId))).toBe(62);
  }, 30_000);

  it("of a write through the API, and of a delivery", async () => {
    const tenant = await makeTenant();
    const targetId = await makeTarget(tenant);
    const templateId = await makeTemplate(tenant, source(1));
    const instanceId = await makeInstance(tenant, templateId, targetId);
    let n = 0;
    const patch = () => {
      n += 1;
      return tenant.patch(`/instances/${instanceId}`, { name: `name ${n}` });
    };
    await patch();
    const write = await chargesOf(patch, tenant.tenantId);
    // A row of an index for the name, and one for the time of the change.
    const rows = { "d1 audit_events": 2, "d1 events": 1, "d1 instances": 3 };
    expect(written(write)).toEqual(rows);
    // The platform's webhooks, which other suites leave, are read for the delivery.
    expect(total(write, "read", /^(?!d1 webhook_deliveries)/)).toBeLessThanOrEqual(23);
    expect(requests(write)).toEqual({});

    const keyed = await chargesOf(
      () =>
        tenant.patch(`/instances/${instanceId}`, { name: "keyed" }, { "idempotency-key": "one" }),
      tenant.tenantId,
    );
    expect(written(keyed)).toEqual({ ...rows, "d1 idempotency_keys": 1 });

    const made = await tenant.post("/webhooks", {
      url: "https://cost.example.com/in",
      events: ["instance.*"],
    });
    expect(made.status, made.text).toBe(201);
    const delivery = await chargesOf(async () => {
      await patch();
      await until("it is delivered", async () => {
        const { body } = await tenant.get(`/webhooks/${made.body.id}/deliveries`);
        return body.data[0]?.state === "SUCCEEDED";
      });
    }, tenant.tenantId);
    expect(written(delivery)).toEqual({
      ...rows,
      // The bytes of the answer.
      "d1 monthly_usage": 1,
      "d1 webhook_attempts": 2,
      // The row three times, an entry in each of its indices, and another in the index of due rows at the claim.
      "d1 webhook_deliveries": 7,
    });
    expect(requests(delivery)).toEqual({ "message webhooks": 1 });
  });
});
