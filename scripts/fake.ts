/**
 * `npm run fake -- <cloud>`: a cloud that costs nothing, on this machine, for the guides and for experiments. It forgets
 * everything when it ends. With `--profile real` it misbehaves as the real cloud does, by `--seed`.
 */
import { parseArgs } from "node:util";
import { realClouds } from "#test/support/fake-cloud/real/real-clouds.ts";
import { RealProfile } from "#test/support/fake-cloud/real/real-profile.ts";
import { ensureAwsCatalogue } from "./catalogue/ensure-aws-catalogue.ts";
import { fakeClouds } from "./clouds/fake-clouds.ts";
import { type FakeCloud, runFakeCloud } from "./clouds/run-fake-cloud.ts";

interface Asked {
  provider: string;
  /** Undefined: the cloud obeys. */
  seed: number | undefined;
}

function asked(): Asked | undefined {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { profile: { type: "string" }, seed: { type: "string" } },
    });
    const [provider = "", ...others] = positionals;
    const { profile, seed = "1" } = values;
    const isKnown = profile === undefined ? values.seed === undefined : profile === "real";
    const isRight = Object.hasOwn(fakeClouds, provider) && others.length === 0;
    if (!isRight || !isKnown || !/^\d{1,9}$/.test(seed)) return undefined;
    return { provider, seed: profile === undefined ? undefined : Number(seed) };
  } catch {
    return undefined;
  }
}

/** Prints what it does, besides the changes. */
function misbehaving(provider: string, cloud: FakeCloud, seed: number): FakeCloud {
  const real = realClouds[provider];
  if (real === undefined) throw new Error(`Nothing is known of ${provider}`);
  const happens = (what: string): void => console.log(`as it really is: ${what}`);
  const profile = new RealProfile(real, cloud.fetch, { seed, happens });
  return { ...cloud, fetch: profile.fetch };
}

const wanted = asked();
const cloudOf = wanted && fakeClouds[wanted.provider];
if (wanted === undefined || cloudOf === undefined) {
  console.error(
    `Usage: npm run fake -- ${Object.keys(fakeClouds).join(" | ")} [--profile real [--seed N]]`,
  );
  process.exit(2);
}
const { provider, seed } = wanted;
if (provider === "aws") await ensureAwsCatalogue();
const cloud = await cloudOf();
await runFakeCloud(provider, seed === undefined ? cloud : misbehaving(provider, cloud, seed));
