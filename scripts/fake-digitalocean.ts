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
import { choosePort } from "./port.ts";
import { serveFakeCloud } from "./serve-fake-cloud.ts";
import { stopSignal } from "./stop-signal.ts";

const DEFAULT_PORT = "9898";
const READY_AFTER_MS = 2_000;

const stop = stopSignal();
const port = await choosePort(process.env["PORT"] || DEFAULT_PORT);
const cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument), {
  readyAfterMs: READY_AFTER_MS,
});
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
const served = await serveFakeCloud(
  async (request) => {
    const response = await cloud.fetch(request);
    for (const { side, of, problem } of cloud.violations.splice(0))
      console.error(`The ${side} of ${of} is not as described: ${problem}`);
    return response;
  },
  { port },
);
console.log(`A fake DigitalOcean listens on ${served.url}
Token               ${TOKEN}
PROVIDER_ENDPOINTS  ${JSON.stringify({ digitalocean: served.url })}`);
await new Promise((resolve) => {
  stop.addEventListener("abort", resolve, { once: true });
});
await served.close();
process.exit(0);
