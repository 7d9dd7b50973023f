/**
 * `npm run fake:render`: a Render that costs nothing, on this machine, for the guide and for experiments. It is made from
 * the description in `test/providers/render`, refuses what that does not allow, and forgets everything when it ends.
 */
import { renderDocument } from "#test/providers/render/description.ts";
import { renderCloud, renderDescription, TOKEN } from "#test/providers/render/render-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = renderCloud(renderDescription(renderDocument), { readyAfterMs: READY_AFTER_MS });
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9903",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake Render listens on ${url}
Token               ${TOKEN}
PROVIDER_ENDPOINTS  ${JSON.stringify({ render: url })}`,
});
