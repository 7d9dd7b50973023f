import type { Bindings } from "#kernel/bindings.ts";
import { ApiError } from "#kernel/errors.ts";
import { guardSettings, guardUrl } from "./delivery/url-guard.ts";

/** Throws `url_not_allowed` for a URL that no webhook may have. */
export function requireAllowedUrl(env: Bindings, url: string): void {
  const guarded = guardUrl(url, guardSettings(env));
  if (guarded.ok) return;
  throw new ApiError("url_not_allowed", guarded.reason, {
    faults: [{ in: "body", pointer: "/url", code: "url_not_allowed", detail: guarded.reason }],
  });
}
