import type { Bindings } from "#kernel/bindings.ts";
import { isJsonMap } from "#platform/json.ts";

/** Variables that nothing works without: their names and what they must be, never their values. */
export function settingProblems(env: Bindings): string[] {
  const stall = Number(env.STALL_SECONDS);
  return [
    ...(Number.isFinite(stall) && stall > 0
      ? []
      : [
          "STALL_SECONDS must be a number of seconds above 0: no interrupted deployment continues.",
        ]),
    ...(isObjectOfUrls(env.PROVIDER_ENDPOINTS ?? "")
      ? []
      : ["PROVIDER_ENDPOINTS must be a JSON object of URLs: no provider can be called."]),
  ].map((problem) => `${problem} Correct it under [vars] in wrangler.toml, then deploy again.`);
}

function isObjectOfUrls(text: string): boolean {
  if (text === "") return true;
  try {
    const value: unknown = JSON.parse(text);
    return (
      isJsonMap(value) &&
      Object.values(value).every((url) => typeof url === "string" && URL.canParse(url))
    );
  } catch {
    return false;
  }
}
