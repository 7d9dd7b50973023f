/**
 * The example of every cloud at a fake that misbehaves as the real cloud does: deployed at the first attempt, changed,
 * destroyed with nothing left; and the same by runners that die.
 */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { countFor, partOf, testSeed } from "#test/support/depth.ts";
import { realClouds } from "#test/support/fake-cloud/real/real-clouds.ts";
import { RealProfile } from "#test/support/fake-cloud/real/real-profile.ts";
import { doubledNames } from "../invariants/doubles.ts";
import { type Ended, ExampleLife } from "./clouds/example-life.ts";
import { type LivedCloud, livedClouds } from "./clouds/lived-clouds.ts";

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
/** Runs that end `cannot_tell` about a lost object are started again, at most so often. */
const MAX_RUNS = 6;

beforeEach(() => {
  for (const name of ["log", "warn", "error"] as const)
    vi.spyOn(console, name).mockImplementation(() => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
});

interface Scene {
  cloud: LivedCloud;
  life: ExampleLife;
  happened: string[];
}

async function begin(provider: string, seed: number): Promise<Scene> {
  const lived = livedClouds[provider];
  const real = realClouds[provider];
  if (lived === undefined || real === undefined) throw new Error(`No cloud ${provider}`);
  const cloud = await lived();
  const happened: string[] = [];
  const profile = new RealProfile(real, cloud.fetch, {
    seed,
    happens: (what, { method, at }) => happened.push(`${what}: ${method} ${at}`),
  });
  const life = await ExampleLife.begin(provider, { ...cloud, fetch: profile.fetch }, seed);
  return { cloud, life, happened };
}

function expectSuccess(ended: Ended, happened: readonly string[]): void {
  const resource = ended.error?.["resource"];
  const about = ended.log.filter((line) => typeof resource !== "string" || line.includes(resource));
  const told = [JSON.stringify(ended.error), ...about.slice(-25), "", ...happened.slice(-40)];
  expect(ended.state, told.join("\n")).toBe("SUCCEEDED");
}

/** Killed in its first run. What nobody can tell is removed, as the error says, and the run started again. */
async function killed({ cloud, life, happened }: Scene, operation: "deploy" | "destroy") {
  for (let run = 1; ; run += 1) {
    const ended = await life.run(operation, run === 1 ? KILLS : 0);
    if (ended.state === "SUCCEEDED") return;
    if (run === MAX_RUNS || ended.error?.["code"] !== "cannot_tell") expectSuccess(ended, happened);
    cloud.removeOthers(await life.known());
  }
}

describe.each(clouds)("%s as it really is", (provider) => {
  it.each(seeds)(
    "is deployed at the first attempt, changed and destroyed, by seed %i",
    { timeout: 120_000 },
    async (seed) => {
      const scene = await begin(provider, seed);
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
      const scene = await begin(provider, seed);
      try {
        await killed(scene, "deploy");
        const made = scene.cloud.living();
        await killed(scene, "destroy");
        expect(scene.cloud.living()).toEqual([]);
        expect(made.length).toBeGreaterThan(0);
        expect(doubledNames(scene.cloud.ledger())).toEqual([]);
      } finally {
        scene.life.end();
      }
    },
  );
});
