import { pagePolicy } from "#http/pages/page-policy.ts";
import { pageStyle } from "#http/pages/page-style.ts";
import { homePage } from "./home-page.tsx";

/** `/`, for browsers; undefined: the client does not accept HTML. */
export async function serveHome(accept: string | undefined): Promise<Response | undefined> {
  if (accept?.includes("text/html") !== true) return undefined;
  return new Response(await homePage(), {
    headers: {
      "content-type": "text/html; charset=UTF-8",
      "content-security-policy": await pagePolicy(pageStyle, ["form-action 'none'"]),
      "cache-control": "public, max-age=60",
      vary: "Accept, Cookie",
    },
  });
}
