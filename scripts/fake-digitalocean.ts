/**
 * `npm run fake:digitalocean`: a DigitalOcean that costs nothing, on this machine, for the guide and for experiments. It
 * is made from the description in `test/providers/digitalocean`, refuses what that does not allow, and forgets
 * everything when it ends.
 */
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
  readyAfterMs: READY_AFTER_MS,
});
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9898",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake DigitalOcean listens on ${url}
Token               ${TOKEN}
PROVIDER_ENDPOINTS  ${JSON.stringify({ digitalocean: url })}`,
});
