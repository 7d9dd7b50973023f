/**
 * `npm run fake:supabase`: a Supabase that costs nothing, on this machine, for the guide and for experiments. It is made
 * from the description in `test/providers/supabase`, refuses what that does not allow, and forgets everything when it
 * ends.
 */
import { supabaseDocument } from "#test/providers/supabase/description.ts";
import {
  CONFIG,
  supabaseCloud,
  supabaseDescription,
  TOKEN,
} from "#test/providers/supabase/supabase-cloud.ts";
import { runFakeCloud } from "./run-fake-cloud.ts";

const READY_AFTER_MS = 2_000;

const cloud = supabaseCloud(supabaseDescription(supabaseDocument), {
  readyAfterMs: READY_AFTER_MS,
});
cloud.fake.afterChange = ({ verb, by, name }) => {
  console.log(`${verb} ${name} (${by})`);
};
await runFakeCloud({
  defaultPort: "9905",
  fetch: (request) => cloud.fetch(request),
  problems: () =>
    cloud.violations
      .splice(0)
      .map(({ side, of, problem }) => `The ${side} of ${of} is not as described: ${problem}`),
  greeting: (url) => `A fake Supabase listens on ${url}
Token               ${TOKEN}
Config              ${JSON.stringify(CONFIG)}
PROVIDER_ENDPOINTS  ${JSON.stringify({ supabase: url })}`,
});
