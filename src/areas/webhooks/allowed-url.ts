import type { Call } from "#kernel/call/call.ts";
import type { Guard } from "#kernel/call/unit-of-work.ts";
import { ApiError } from "#kernel/errors.ts";
import { isForeignHost, knownOwnHosts } from "#kernel/hosts/own-hosts.ts";
import { guardSettings, guardUrl } from "./delivery/url-guard.ts";

/**
 * Throws `url_not_allowed` for a forbidden URL, and returns the guard for the commit: D1 also keeps the service's own
 * host names.
 */
export function requireAllowedUrl(call: Call, text: string): Guard {
  const guarded = guardUrl(text, guardSettings(call.env, knownOwnHosts()));
  if (guarded.ok) return call.require("url_not_allowed", isForeignHost(guarded.url));
  throw new ApiError("url_not_allowed", guarded.reason, {
    faults: [{ in: "body", pointer: "/url", code: "url_not_allowed", detail: guarded.reason }],
  });
}
