/**
 * The example of every cloud at a fake that misbehaves as the real cloud does, by a runner that dies at commits of each
 * run, or loses round trips to D1. The end is that of a run at an obedient cloud without trouble.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countFor, partOf, testSeed } from "#test/support/depth.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { ExampleLife, type Trouble } from "./clouds/example-life.ts";
import { type LivedCloud, livedClouds } from "./clouds/lived-clouds.ts";
import { beginRealScene, expectSuccess, throughTrouble } from "./clouds/real-scene.ts";

const troubles: Readonly<Record<string, Trouble>> = {
  "dies again and again before a commit": { diesAt: "before" },
  "dies again and again after a commit": { diesAt: "after" },
  "loses a fifth of its round trips to D1": { lostTrips: 0.2 },
};

/** An ordinary run takes one cloud; `REAL_CLOUD` names one. */
const chosen = process.env["REAL_CLOUD"];
const clouds = partOf(
  Object.keys(livedClouds).filter((name) => name === (chosen ?? name)),
  11,
);
const first = Number(process.env["REAL_SEED"] ?? testSeed % 1_000);
const seeds = Array.from(
  { length: Number(process.env["REAL_SEEDS"] ?? countFor({ ordinary: 1, deep: 3 })) },
  (_, at) => first + at,
);

beforeEach(() => {
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The number of living objects in each collection. */
function madeIn({ ledger }: LivedCloud): Record<string, number> {
  const made: Record<string, number> = {};
  for (const { verb, collection } of ledger())
    if (verb !== "update")
      made[collection] = (made[collection] ?? 0) + (verb === "create" ? 1 : -1);
  return made;
}

/** What a deploy makes at an obedient cloud. */
async function madeWithoutTrouble(provider: string): Promise<Record<string, number>> {
  const cloud = await livedClouds[provider]?.();
  if (cloud === undefined) throw new Error(`No cloud ${provider}`);
  const life = await ExampleLife.begin(provider, cloud, 1);
  try {
    expectSuccess(await life.run("deploy"), []);
    return madeIn(cloud);
  } finally {
    life.end();
  }
}

describe.each(clouds)("%s as it really is, with a runner that", (provider) => {
  const cases = Object.entries(troubles).flatMap(([what, trouble]) =>
    seeds.map((seed): [string, number, Trouble] => [what, seed, trouble]),
  );
  it.each(cases)("%s, by seed %i", { timeout: 240_000 }, async (_, seed, trouble) => {
    const expected = await madeWithoutTrouble(provider);
    const scene = await beginRealScene(provider, seed);
    const { cloud, life } = scene;
    try {
      await throughTrouble(scene, "deploy", trouble);
      expect(madeIn(cloud)).toEqual(expected);
      const again = await life.run("deploy");
      expect(again.state, JSON.stringify(again.log)).toBe("NO_CHANGES");
      await life.set(cloud.changed);
      await throughTrouble(scene, "deploy", trouble);
      expect(madeIn(cloud)).toEqual(expected);
      expect(await life.problems()).toEqual([]);
      await throughTrouble(scene, "destroy", trouble);
      expect(cloud.living()).toEqual([]);
      expect(doubledNames(cloud.ledger())).toEqual([]);
      expect(cloud.violations()).toEqual([]);
      expect(await life.problems()).toEqual([]);
      if (trouble.diesAt !== undefined) expect(life.deaths).toBeGreaterThan(4);
    } finally {
      life.end();
    }
  });
});
