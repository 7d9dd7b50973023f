/**
 * `npm run fake:vercel`: a Vercel that costs nothing, on this machine, for the guide and for experiments. It is made from
 * the description in `test/providers/vercel`, refuses what that does not allow, and forgets everything when it ends.
 */
import { vercelDocument } from "#test/providers/vercel/description.ts";
import { vercelCloud, vercelDescriptions, TOKEN } from "#test/providers/vercel/vercel-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = vercelCloud(vercelDescriptions(vercelDocument), { readyAfterMs: READY_AFTER_MS });
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9904",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake Vercel listens on ${url}
Token               ${TOKEN}
PROVIDER_ENDPOINTS  ${JSON.stringify({ vercel: url })}`,
});
