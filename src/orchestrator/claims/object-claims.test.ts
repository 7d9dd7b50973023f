import { expect, it } from "vitest";
import type { Claimant, CloudObject, RefusedClaim } from "#orchestrator/gate/claims-table.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import type { Run } from "#orchestrator/storage/run.ts";
import { ObjectClaims } from "./object-claims.ts";

const holder: Claimant = { instanceId: "victim", tenantId: "tenant-b" };

/** The claims of an instance at a gate at which another holds this object. */
function claimsBeside(held: CloudObject): ObjectClaims {
  const refused = (objects: readonly CloudObject[]): RefusedClaim[] =>
    objects
      .filter(({ type, id }) => type === held.type && id === held.id)
      .map((object) => ({ ...object, holder }));
  const gate = {
    claim: async (_: Claimant, objects: readonly CloudObject[]) => refused(objects),
    claimsOfOthers: async (_: string, objects: readonly CloudObject[]) => refused(objects),
  };
  const named = {
    _prepare: () => ({
      getQuery: () => ({ sql: "", params: [] }),
      mapResult: () => [{ name: "shop" }],
    }),
  };
  const db = {
    select: () => ({ from: () => ({ where: () => named }) }),
    $client: { prepare: () => ({ bind: () => ({ all: async () => [] }) }) },
  };
  const parts = { db, gate: () => gate } as unknown as Pick<RunnerParts, "db" | "gate">;
  const run = {
    instanceId: "thief",
    tenantId: "tenant-a",
    spec: { inputs: { target: { id: "target" } } },
  } as unknown as Run;
  return new ObjectClaims(parts, run);
}

it("refuses what another instance has, also under another version of its type", async () => {
  const type = "azure:Microsoft.Network/virtualNetworks";
  const claims = claimsBeside({ type, id: "net" });
  for (const named of [type, `${type}@2025-09-01`, `${type}@2023-01-01`]) {
    const object = { type: named, id: "net" };
    expect(await claims.adopt(object, "mine"), named).toContain("Another instance manages");
    expect((await claims.refusals([object]))(object), named).toContain("Another instance manages");
  }
  expect(await claims.adopt({ type, id: "other" }, "mine")).toBeUndefined();
});
