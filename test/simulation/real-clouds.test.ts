/**
 * The example of every cloud at a fake that misbehaves as the real cloud does: deployed at the first attempt, changed,
 * destroyed with nothing left; and the same by runners that die.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countFor, partOf, testSeed } from "#test/support/depth.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { livedClouds } from "./clouds/lived-clouds.ts";
import { beginRealScene, expectSuccess, throughTrouble } from "./clouds/real-scene.ts";

/** An ordinary run takes one cloud; `REAL_CLOUD` names one. */
const chosen = process.env["REAL_CLOUD"];
const clouds = partOf(
  Object.keys(livedClouds).filter((name) => name === (chosen ?? name)),
  11,
);
const first = Number(process.env["REAL_SEED"] ?? testSeed % 1_000);
const seeds = Array.from(
  { length: Number(process.env["REAL_SEEDS"] ?? countFor({ ordinary: 2, deep: 10 })) },
  (_, at) => first + at,
);
const KILLS = 5;

beforeEach(() => {
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(clouds)("%s as it really is", (provider) => {
  it.each(seeds)(
    "is deployed at the first attempt, changed and destroyed, by seed %i",
    { timeout: 120_000 },
    async (seed) => {
      const scene = await beginRealScene(provider, seed);
      const { cloud, life, happened } = scene;
      try {
        expectSuccess(await life.run("deploy"), happened);
        const made = cloud.living().length;
        expect(made).toBeGreaterThan(0);
        const again = await life.run("deploy");
        expect(again.state, JSON.stringify(again.log)).toBe("NO_CHANGES");
        await life.set(cloud.changed);
        expectSuccess(await life.run("deploy"), happened);
        expect(cloud.living()).toHaveLength(made);
        expectSuccess(await life.run("destroy"), happened);
        expect(cloud.living()).toEqual([]);
        expect(doubledNames(cloud.ledger())).toEqual([]);
        expect(cloud.violations()).toEqual([]);
        expect(happened).not.toEqual([]);
      } finally {
        life.end();
      }
    },
  );

  it.each(seeds)(
    `is deployed and destroyed by runners that die ${KILLS} times, by seed %i`,
    { timeout: 120_000 },
    async (seed) => {
      const scene = await beginRealScene(provider, seed);
      try {
        await throughTrouble(scene, "deploy", { kills: KILLS });
        const made = scene.cloud.living();
        await throughTrouble(scene, "destroy", { kills: KILLS });
        expect(scene.cloud.living()).toEqual([]);
        expect(made.length).toBeGreaterThan(0);
        expect(doubledNames(scene.cloud.ledger())).toEqual([]);
      } finally {
        scene.life.end();
      }
    },
  );
});
