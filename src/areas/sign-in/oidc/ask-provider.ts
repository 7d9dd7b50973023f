/**
 * One request to a sign-in provider, with limits on time and answer size. Redirects are not followed: they
 * would carry a code and a secret to an unchecked address. Never throws, whatever the provider does.
 */
import { boundedBody } from "#platform/bounded-body.ts";
import { type Checked, failed, passed } from "./reason.ts";
import { isSafeUrl } from "./safe-url.ts";

export const TIMEOUT_MS = 5_000;
const MAX_BYTES = 256 * 1024;

/** The response with its whole body; a failure where `fetch` would throw or a limit is exceeded. */
export async function askProvider(
  url: string,
  init: RequestInit,
  development: boolean,
): Promise<Checked<Response>> {
  const { host } = URL.parse(url) ?? { host: "an unreadable address" };
  const unreachable = (why: string) => failed("provider_unreachable", `${host}: ${why}`);
  if (!isSafeUrl(url, development)) return unreachable("not https");
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { ...init, redirect: "manual", signal });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return unreachable(`redirects (${response.status})`);
    }
    if (response.status === 200 && !saysJson(response.headers)) {
      await response.body?.cancel();
      return unreachable("the answer is not JSON");
    }
    const body = await boundedBody(response, MAX_BYTES);
    if (body === undefined) return unreachable(`the answer has more than ${MAX_BYTES} bytes`);
    const { status, headers } = response;
    return passed(new Response(body, { status, headers }));
  } catch (error) {
    return unreachable(error instanceof Error ? error.name : "failed");
  }
}

/** Every answer of a provider is JSON; other content may be anybody's page on the same host. */
function saysJson(headers: Headers): boolean {
  return /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(headers.get("content-type") ?? "");
}
