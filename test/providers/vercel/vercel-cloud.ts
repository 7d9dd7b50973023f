import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { type Violation, validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { TEAM, vercelRules } from "./rules.ts";
import { pathWithoutVersion, unversioned } from "./versions.ts";

export const TOKEN = "vercel_canary0123456789";

const kept =
  /^(\/v\d+)?\/(user$|teams\/\{[^}]+\}$|projects($|\/\{[^}]+\}($|\/(env|domains|custom-environments)($|\/\{[^}]+\}$)))|deployments($|\/\{[^}]+\}$)|edge-config($|\/\{[^}]+\}($|\/tokens?\b))|domains\/(records\/|\{[^}]+\}\/records)|webhooks|certs)/;

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

export interface VercelCloud {
  fake: FakeCloud;
  violations: Violation[];
  /** Through the validating proxy. */
  fetch: (request: Request) => Promise<Response>;
  context: (more?: Partial<ProviderContext>) => ProviderContext;
}

/** An empty team behind the description. What belongs to another team is forbidden, whether or not it is there. */
export function vercelCloud(
  { versioned, plain }: VercelDescriptions,
  options: FakeOptions = {},
): VercelCloud {
  const fake = new FakeCloud(plain, vercelRules, { token: TOKEN, ...options });
  const proxy = validatingProxy(versioned, async (request) => {
    const url = new URL(request.url);
    const isForeign = !url.pathname.endsWith("/user") && url.searchParams.get("teamId") !== TEAM;
    if (isForeign)
      return Response.json(
        { error: { code: "forbidden", message: "Not authorized" } },
        { status: 403 },
      );
    url.pathname = pathWithoutVersion(url.pathname);
    return fake.fetch(new Request(url, request));
  });
  return {
    fake,
    violations: proxy.violations,
    fetch: proxy.fetch,
    context: (more = {}) => ({
      targetId: "target-1",
      region: "fra1",
      config: { teamId: TEAM },
      credential: TOKEN,
      fetch: proxy.fetch,
      now: options.now ?? (() => Date.now()),
      ...more,
    }),
  };
}
