import { describe, expect, it } from "vitest";
import { SLOT_LEASE_MS } from "#orchestrator/gate/slot-lease.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { RunSlot } from "./run-slot.ts";

function makeSlot(targetOf: string | null = "tenant-1", operation = "deploy") {
  const at = { nowMs: 10 * SLOT_LEASE_MS, granted: true, asked: 0, last: {} };
  const gate = {
    acquire: async (request: object) => {
      at.asked += 1;
      at.last = request;
      return { granted: at.granted };
    },
  };
  const parts = { now: () => at.nowMs, gate: () => gate } as unknown as RunnerParts;
  const run = {
    deploymentId: "d1",
    instanceId: "i1",
    tenantId: "tenant-1",
    spec: {
      operation,
      inputs: { target: { id: "t1", tenantId: targetOf, maxConcurrentDeployments: 1 } },
    },
  } as unknown as Run;
  return { at, run, slot: new RunSlot(parts, run) };
}

describe("the slot of a run", () => {
  it("is renewed at a third of its lease, not at each use", async () => {
    const { at, slot } = makeSlot();
    expect([await slot.renew(), await slot.renew()]).toEqual([true, true]);
    expect(at.asked).toBe(1);
    at.nowMs += SLOT_LEASE_MS / 3;
    expect(await slot.renew()).toBe(true);
    expect(at.asked).toBe(2);
  });

  it("is renewed at once by a runner whose clock was set back", async () => {
    const { at, slot } = makeSlot();
    await slot.renew();
    at.nowMs -= 9 * SLOT_LEASE_MS;
    expect(await slot.renew()).toBe(true);
    expect(at.asked).toBe(2);
  });

  it("is acquired with its tenant if others share the target, so that calls are shared by tenant", async () => {
    const shared = makeSlot(null);
    await shared.slot.acquire();
    expect(shared.at.last).toMatchObject({ tenantId: "tenant-1" });
    const own = makeSlot();
    await own.slot.acquire();
    expect(own.at.last).not.toHaveProperty("tenantId");
  });

  it("is lost once the gate has given it to another run", async () => {
    const { at, slot } = makeSlot();
    await slot.renew();
    at.granted = false;
    at.nowMs += SLOT_LEASE_MS;
    expect(await slot.renew()).toBe(false);
    // The slot is not held, so each check asks again, and the first grant counts.
    expect(await slot.renew()).toBe(false);
    expect(at.asked).toBe(3);
    at.granted = true;
    expect([await slot.renew(), await slot.renew()]).toEqual([true, true]);
    expect(at.asked).toBe(4);
  });

  it("is neither acquired nor released for a read-only operation", async () => {
    for (const operation of ["plan", "drift_check"] as const) {
      const { at, slot } = makeSlot("tenant-1", operation);
      expect(await slot.renew()).toBe(true);
      expect(at.asked).toBe(0);
      expect(slot.held()).toBeUndefined();
    }
    expect(makeSlot().slot.held()).toEqual({ targetId: "t1" });
  });

  it("gives a canceled run no call outside its steps", async () => {
    const { at, run, slot } = makeSlot();
    run.canceling = true;
    expect(await slot.permits(1)).toEqual({ forMs: 1, for: "turn" });
    expect(at.asked).toBe(0);
  });
});
