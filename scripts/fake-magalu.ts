/**
 * `npm run fake:magalu`: a Magalu Cloud that costs nothing, on this machine, for the guide and for experiments. It is made
 * from the description in `test/providers/magalu`, refuses what that does not allow, and forgets everything when it ends.
 */
import { magaluDocument } from "#test/providers/magalu/description.ts";
import { API_KEY, magaluCloud, magaluDescription } from "#test/providers/magalu/magalu-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = magaluCloud(magaluDescription(magaluDocument), { readyAfterMs: READY_AFTER_MS });
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9901",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake Magalu Cloud listens on ${url}
API key             ${API_KEY}
PROVIDER_ENDPOINTS  ${JSON.stringify({ magalu: url })}`,
});
