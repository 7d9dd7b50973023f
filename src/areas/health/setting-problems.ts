import type { Bindings } from "#kernel/bindings.ts";
import { readProviderEndpoints } from "#kernel/provider-endpoints.ts";

const whereToCorrect =
  "Correct it in `vars` of installation.jsonc, then run `npm run deploy`; with `npm start`, correct it in the environment or in .dev.vars if it is set there, then start again.";

/** Invalid variables that the service cannot work without: their names and rules, never their values. */
export function settingProblems(env: Bindings): string[] {
  const endpoints = readProviderEndpoints(env.PROVIDER_ENDPOINTS);
  const stall = Number(env.STALL_SECONDS);
  return [
    ...(Number.isFinite(stall) && stall > 0
      ? []
      : [
          "STALL_SECONDS must be a number of seconds above 0: no interrupted deployment continues.",
        ]),
    ...(endpoints.ok ? [] : [endpoints.problem]),
  ].map((problem) => `${problem} ${whereToCorrect}`);
}
