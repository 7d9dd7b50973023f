import type { JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { TEAM, vercelRules } from "./rules.ts";
import { pathWithoutVersion, unversioned } from "./versions.ts";

export const TOKEN = "vercel_canary0123456789";

const kept =
  /^(\/v\d+)?\/(teams\/\{[^}]+\}$|projects($|\/\{[^}]+\}($|\/(env|domains|custom-environments)($|\/\{[^}]+\}$)))|deployments($|\/\{[^}]+\}$)|edge-config($|\/\{[^}]+\}($|\/tokens?\b))|domains\/(records\/|\{[^}]+\}\/records)|webhooks|certs)/;

export interface VercelDescriptions {
  /** As Vercel's calls are. */
  versioned: Description;
  /** With each path once. */
  plain: Description;
}

/** The paths of the 10 types alone. */
export function vercelDescriptions(document: JsonMap): VercelDescriptions {
  const keeps = (path: string): boolean => kept.test(path);
  return {
    versioned: readDescription(document, keeps),
    plain: readDescription(unversioned(document), keeps),
  };
}

/** An empty team behind the description. What belongs to another team is forbidden, whether or not it is there. */
export function vercelCloud(
  { versioned, plain }: VercelDescriptions,
  options: FakeOptions = {},
): DescribedCloud {
  const fake = new FakeCloud(plain, vercelRules, { token: TOKEN, ...options });
  const proxy = validatingProxy(versioned, async (request) => {
    const url = new URL(request.url);
    const isForeign = url.searchParams.get("teamId") !== TEAM;
    if (isForeign)
      return Response.json(
        { error: { code: "forbidden", message: "Not authorized" } },
        { status: 403 },
      );
    url.pathname = pathWithoutVersion(url.pathname);
    return fake.fetch(new Request(url, request));
  });
  return describedCloud(fake, proxy, {
    region: "fra1",
    config: { teamId: TEAM },
    credential: TOKEN,
  });
}
