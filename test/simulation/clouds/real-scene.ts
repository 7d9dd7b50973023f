/** The example of a cloud at a fake that misbehaves as the real one does. */
import { expect } from "vitest";
import { realClouds } from "#test/support/fake-cloud/real/real-clouds.ts";
import { RealProfile } from "#test/support/fake-cloud/real/real-profile.ts";
import { type Ended, ExampleLife, type Trouble } from "./example-life.ts";
import { type LivedCloud, livedClouds } from "./lived-clouds.ts";

/** Runs that end so are started again, at most so often. Each death may cost a step minutes of looking. */
const again: ReadonlySet<unknown> = new Set(["cannot_tell", "timed_out"]);
const MAX_RUNS = 6;

export interface RealScene {
  cloud: LivedCloud;
  life: ExampleLife;
  /** What the cloud did that an obedient one does not, in words. */
  happened: string[];
}

/** End its life afterwards. */
export async function beginRealScene(provider: string, seed: number): Promise<RealScene> {
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

export function expectSuccess(ended: Ended, happened: readonly string[]): void {
  const resource = ended.error?.["resource"];
  const about = ended.log.filter((line) => typeof resource !== "string" || line.includes(resource));
  const told = [JSON.stringify(ended.error), ...about.slice(-25), "", ...happened.slice(-40)];
  expect(ended.state, told.join("\n")).toBe("SUCCEEDED");
}

/** With trouble in its first run. What nobody can tell is removed, as the error says, and the run started again. */
export async function throughTrouble(
  { cloud, life, happened }: RealScene,
  operation: "deploy" | "destroy",
  trouble: Trouble,
): Promise<void> {
  for (let run = 1; ; run += 1) {
    const ended = await life.run(operation, run === 1 ? trouble : {});
    if (ended.state === "SUCCEEDED") return;
    const code = ended.error?.["code"];
    if (run === MAX_RUNS || !again.has(code)) expectSuccess(ended, happened);
    if (code === "cannot_tell") cloud.removeOthers(await life.known());
  }
}
