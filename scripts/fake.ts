/**
 * `npm run fake -- <cloud>`: a cloud that costs nothing, on this machine, for the guides and for experiments. It forgets
 * everything when it ends.
 */
import { ensureAwsCatalogue } from "./catalogue/ensure-aws-catalogue.ts";
import { fakeClouds } from "./clouds/fake-clouds.ts";
import { runFakeCloud } from "./clouds/run-fake-cloud.ts";

const [provider = ""] = process.argv.slice(2);
const cloudOf = Object.hasOwn(fakeClouds, provider) ? fakeClouds[provider] : undefined;
if (cloudOf === undefined) {
  console.error(`Usage: npm run fake -- ${Object.keys(fakeClouds).join(" | ")}`);
  process.exit(2);
}
if (provider === "aws") await ensureAwsCatalogue();
await runFakeCloud(provider, await cloudOf());
