import { describe, expect, it } from "vitest";
import type { Run } from "#orchestrator/storage/run.ts";
import { openDb } from "#platform/db/client.ts";
import type { ApprovalMode } from "#schema/instances.ts";
import { Random } from "#test/simulation/random.ts";
import { d1Over, Sqlite } from "#test/simulation/sqlite.ts";
import { stricter, strictestSafeguards } from "./strictest-safeguards.ts";

type Environment = "production" | "sandbox";

const regions = { allowedRegions: ["eu-1"], config: {} };

describe("the stricter of two safeguards", () => {
  /** The frozen mode; the instance's mode, null: its target's; the target's environment; the result. */
  it.for<[ApprovalMode, ApprovalMode | null, Environment, ApprovalMode]>([
    ["auto", null, "sandbox", "auto"],
    ["auto", null, "production", "destructive"],
    ["auto", "auto", "production", "auto"],
    ["auto", "destructive", "sandbox", "destructive"],
    ["auto", "always", "sandbox", "always"],
    ["destructive", null, "sandbox", "destructive"],
    ["destructive", "auto", "production", "destructive"],
    ["destructive", "always", "sandbox", "always"],
    ["always", null, "production", "always"],
    ["always", "auto", "sandbox", "always"],
  ])("is for %s, then %s at a %s target, %s", ([frozen, own, environment, counts]) => {
    const before = { approvalMode: frozen, instance: { name: "i", protectedFromDestroy: false } };
    const instance = { approvalMode: own, protectedFromDestroy: false };
    const now = stricter(before, instance, { environment, ...regions });
    expect(now).toEqual({ approvalMode: counts, protectedFromDestroy: false, limits: regions });
  });

  it.for([
    [false, false, false],
    [false, true, true],
    [true, false, true],
    [true, true, true],
  ] as const)("is for protected %s, then %s: %s", ([frozen, own, counts]) => {
    const before = {
      approvalMode: "auto" as const,
      instance: { name: "i", protectedFromDestroy: frozen },
    };
    const instance = { approvalMode: null, protectedFromDestroy: own };
    for (const target of [undefined, { environment: "sandbox" as const, ...regions }])
      expect(stricter(before, instance, target).protectedFromDestroy).toBe(counts);
    expect(stricter(before, undefined, undefined).protectedFromDestroy).toBe(frozen);
  });

  it("is the instance's own if the target is gone, and the frozen one if both are gone", () => {
    const before = {
      approvalMode: "destructive" as const,
      instance: { name: "i", protectedFromDestroy: false },
    };
    const always = { approvalMode: "always" as const, protectedFromDestroy: false };
    expect(stricter(before, always, undefined)).toMatchObject({ approvalMode: "always" });
    expect(stricter(before, { ...always, approvalMode: null }, undefined)).toMatchObject({
      approvalMode: "destructive",
      limits: undefined,
    });
    const production = { environment: "production" as const, ...regions };
    expect(stricter({ ...before, approvalMode: "auto" }, undefined, production)).toMatchObject({
      approvalMode: "auto",
      limits: regions,
    });
  });
});

describe("the safeguards of a run", () => {
  /** The target of a run of tenant `t`, which belongs to `owner`, beside another tenant's target with the same id. */
  const asked = async (owner: string) => {
    const database = new Sqlite(() => new Random(1));
    database.script(`
      CREATE TABLE instances (id TEXT, tenant_id TEXT, approval_mode TEXT, protected_from_destroy INTEGER);
      CREATE TABLE cloud_targets (id TEXT, tenant_id TEXT, environment TEXT, allowed_regions TEXT, config TEXT);
      INSERT INTO instances VALUES ('i', 't', NULL, 1), ('i', 'other', 'always', 0);
      INSERT INTO cloud_targets VALUES ('c', '${owner}', 'production', '["eu-1"]', '{"a":1}'), ('c', 'other', 'sandbox', '["*"]', '{}');
    `);
    const target = { id: "c", tenantId: owner };
    const instance = { name: "i", protectedFromDestroy: false };
    const run = {
      instanceId: "i",
      tenantId: "t",
      spec: { inputs: { approvalMode: "auto", instance, target } },
    } as unknown as Run;
    return strictestSafeguards(openDb(d1Over(database, async (work) => work())), run);
  };

  it.for(["t", "platform"])(
    "is said by its own instance, and by the target of %s",
    async (owner) => {
      expect(await asked(owner)).toEqual({
        approvalMode: "destructive",
        protectedFromDestroy: true,
        limits: { allowedRegions: ["eu-1"], config: { a: 1 } },
      });
    },
  );
});
