/**
 * `npm run fake:coreweave`: a CoreWeave that costs nothing, on this machine, for the guide and for experiments: its own
 * API and the clusters in it. It forgets everything when it ends.
 */
import { CoreweaveCloud, TOKEN } from "#test/providers/coreweave/coreweave-cloud.ts";
import { printChange, READY_AFTER_MS } from "./run-described-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const cloud = new CoreweaveCloud({ readyAfterMs: READY_AFTER_MS });
cloud.afterChange = printChange;
await runFakeCloud({
  defaultPort: "9906",
  fetch: cloud.fetch,
  problems: () => cloud.violations.splice(0),
  greeting: (url) => `A fake CoreWeave listens on ${url}
Token               ${TOKEN}
PROVIDER_ENDPOINTS  ${JSON.stringify({ coreweave: url })}`,
});
