/**
 * `npm run fake -- <cloud>`: a cloud that costs nothing, on this machine, for the guides and for experiments. It forgets
 * everything when it ends. With `--profile real` it misbehaves as the real cloud does, by `--seed`.
 */
import { realClouds } from "#test/support/fake-cloud/real/real-clouds.ts";
import { RealProfile } from "#test/support/fake-cloud/real/real-profile.ts";
import { ensureAwsCatalogue } from "./catalogue/ensure-aws-catalogue.ts";
import { fakeClouds } from "./clouds/fake-clouds.ts";
import { type FakeCloud, runFakeCloud } from "./clouds/run-fake-cloud.ts";
import { runCommand, UsageError } from "./operator/run-command.ts";

const USAGE = `Usage: npm run fake -- ${Object.keys(fakeClouds).join(" | ")} [--profile real [--seed N]]`;

interface Asked {
  provider: string;
  cloudOf: () => FakeCloud | Promise<FakeCloud>;
  /** Undefined: the cloud obeys. */
  seed: number | undefined;
}

function asked(
  [provider, ...others]: readonly string[],
  { profile, seed }: { profile?: string; seed?: string },
): Asked {
  if (provider === undefined) throw new UsageError("Name a cloud.");
  const cloudOf = Object.hasOwn(fakeClouds, provider) ? fakeClouds[provider] : undefined;
  if (cloudOf === undefined) throw new UsageError(`There is no fake cloud "${provider}".`);
  if (others.length > 0) throw new UsageError("Name one cloud: each has a process of its own.");
  if (profile === undefined && seed !== undefined)
    throw new UsageError("--seed goes with --profile real.");
  if (profile !== undefined && profile !== "real")
    throw new UsageError(`There is no profile "${profile}".`);
  if (seed !== undefined && !/^\d{1,9}$/.test(seed))
    throw new UsageError("--seed must be a whole number of at most nine digits.");
  return { provider, cloudOf, seed: profile === undefined ? undefined : Number(seed ?? 1) };
}

/** Prints what it does, besides the changes. */
function misbehaving(provider: string, cloud: FakeCloud, seed: number): FakeCloud {
  const real = realClouds[provider];
  if (real === undefined) throw new Error(`Nothing is known of ${provider}`);
  const happens = (what: string): void => console.log(`as it really is: ${what}`);
  const profile = new RealProfile(real, cloud.fetch, { seed, happens });
  const lines = { ...cloud.lines, Profile: "real", Seed: String(seed) };
  return { ...cloud, lines, fetch: profile.fetch };
}

await runCommand(
  {
    usage: USAGE,
    options: { profile: { type: "string" }, seed: { type: "string" } },
    positionals: { least: 0, most: Infinity },
    failsWith: 2,
  },
  async ({ positionals, values }) => {
    const { provider, cloudOf, seed } = asked(positionals, values);
    if (provider === "aws") await ensureAwsCatalogue();
    const cloud = await cloudOf();
    return runFakeCloud(provider, seed === undefined ? cloud : misbehaving(provider, cloud, seed));
  },
);
