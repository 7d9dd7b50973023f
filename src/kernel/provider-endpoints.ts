/**
 * The operator's setting `PROVIDER_ENDPOINTS`: the addresses to which calls to providers are redirected. Tenants cannot
 * set it.
 */
import { isJsonMap, readJson } from "#platform/json.ts";
import { providerNames } from "#schema/lists/provider-names.ts";

export interface ProviderEndpoints {
  /** Replaces the base URL. */
  endpoint?: string;
  /** Replaces hosts by their names; absent: `endpoint` replaces all of them. */
  endpoints?: Readonly<Record<string, string>>;
}

export type ReadEndpoints =
  | { ok: true; of: (provider: string) => ProviderEndpoints }
  | { ok: false; problem: string };

/** The providers whose calls can be redirected, and AWS Secrets Manager. */
const redirectable: ReadonlySet<string> = new Set([...providerNames, "aws-sm"]);

/** Reads the whole setting. With a mistake in it no call is redirected, and none may be made. */
export function readProviderEndpoints(setting: string | undefined): ReadEndpoints {
  const map = setting === undefined || setting === "" ? {} : readJson(setting);
  if (!isJsonMap(map)) return problem("must be a JSON object of URLs");
  const read = new Map<string, ProviderEndpoints>();
  for (const [provider, value] of Object.entries(map)) {
    if (!redirectable.has(provider))
      return problem(`names ${JSON.stringify(provider)}, which is no provider`);
    if (isUrl(value)) read.set(provider, { endpoint: value });
    else if (isJsonMap(value) && Object.values(value).every(isUrl)) {
      const { "": endpoint, ...endpoints } = value as Record<string, string>;
      read.set(provider, { ...(endpoint === undefined ? {} : { endpoint }), endpoints });
    } else
      return problem(
        `must be a JSON object of URLs: that of ${provider} is neither a URL of http or https nor an object of such URLs by host`,
      );
  }
  return { ok: true, of: (provider) => read.get(provider) ?? {} };
}

function problem(what: string): ReadEndpoints {
  return { ok: false, problem: `PROVIDER_ENDPOINTS ${what}: no provider can be called.` };
}

function isUrl(value: unknown): value is string {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
}
