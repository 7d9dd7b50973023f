/**
 * `npm run fake:vultr`: a Vultr that costs nothing, on this machine, for the guide and for experiments. It
 * is made from the description in `test/providers/vultr`, refuses what that does not allow, and forgets
 * everything when it ends.
 */
import { vultrDocument } from "#test/providers/vultr/description.ts";
import { API_KEY, vultrCloud, vultrDescription } from "#test/providers/vultr/vultr-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = vultrCloud(vultrDescription(vultrDocument), {
  readyAfterMs: READY_AFTER_MS,
});
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9900",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake Vultr listens on ${url}
API key             ${API_KEY}
PROVIDER_ENDPOINTS  ${JSON.stringify({ vultr: url })}`,
});
