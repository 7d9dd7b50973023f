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
import { READY_AFTER_MS, runDescribedCloud } from "./run-described-cloud.ts";

await runDescribedCloud({
  provider: "supabase",
  called: "Supabase",
  defaultPort: "9905",
  cloud: supabaseCloud(supabaseDescription(supabaseDocument), { readyAfterMs: READY_AFTER_MS }),
  lines: { Token: TOKEN, Config: JSON.stringify(CONFIG) },
});
