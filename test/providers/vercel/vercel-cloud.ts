import type { Json, JsonMap } from "#platform/json.ts";
import { type DescribedCloud, describedCloud } from "#test/support/fake-cloud/described-cloud.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import { vercelDocument } from "./description.ts";
import { TEAM, vercelRules } from "./rules.ts";
import { pathWithoutVersion, unversioned } from "./versions.ts";

export const TOKEN = "vercel_canary0123456789";

const kept =
  /^(\/v\d+)?\/(teams\/\{[^}]+\}$|projects($|\/\{[^}]+\}($|\/(env|domains|custom-environments)($|\/\{[^}]+\}$)))|deployments($|\/\{[^}]+\}$)|edge-config($|\/\{[^}]+\}($|\/tokens?\b))|domains\/(records\/|\{[^}]+\}\/records)|webhooks|certs|env($|\/\{[^}]+\}$)|drains($|\/\{[^}]+\}$)|security\/firewall\/config($|\/\{[^}]+\}$))/;

export interface VercelDescriptions {
  /** As Vercel's calls are. */
  versioned: Description;
  /** With each path once. */
  plain: Description;
}

/** The paths of the 13 types alone. */
export function vercelDescriptions(document: JsonMap): VercelDescriptions {
  const keeps = (path: string): boolean => kept.test(path);
  return {
    versioned: readDescription(document, keeps),
    plain: readDescription(unversioned(document), keeps),
  };
}

/** The vendor's published description is older than its API: it lacks shared variables and drains, which are ours. */
export function withOurs(vendors: JsonMap): JsonMap {
  const own = Object.entries((vercelDocument["paths"] ?? {}) as JsonMap).filter(([path]) =>
    /^\/v1\/(env|drains)/.test(path),
  );
  return { ...vendors, paths: { ...(vendors["paths"] as JsonMap), ...Object.fromEntries(own) } };
}

/** The firewalls of projects, which are set as a whole. A project has none until it is set. */
class Firewalls {
  readonly #active = new Map<string, JsonMap>();

  async answer(request: Request, projectKey: string): Promise<JsonMap | undefined> {
    const before = this.#active.get(projectKey);
    if (request.method === "GET") return before;
    const listed = (value: Json | undefined): Json[] =>
      (Array.isArray(value) ? value : []).map((one) => ({
        id: crypto.randomUUID(),
        ...(one as JsonMap),
      }));
    const sent = (await request.json()) as JsonMap;
    const active: JsonMap = {
      ...sent,
      rules: listed(sent["rules"]),
      ips: listed(sent["ips"]),
      ownerId: TEAM,
      projectKey,
      id: `waf_${projectKey}`,
      version: Number(before?.["version"] ?? 0) + 1,
      updatedAt: new Date().toISOString(),
      changes: [],
    };
    this.#active.set(projectKey, active);
    return { active };
  }
}

/** An empty team behind the description. What belongs to another team is forbidden, whether or not it is there. */
export function vercelCloud(
  { versioned, plain }: VercelDescriptions,
  options: FakeOptions = {},
): DescribedCloud {
  const fake = new FakeCloud(plain, vercelRules, { token: TOKEN, ...options });
  const firewall = new Firewalls();
  const proxy = validatingProxy(versioned, async (request) => {
    const url = new URL(request.url);
    const isForeign = url.searchParams.get("teamId") !== TEAM;
    if (isForeign)
      return Response.json(
        { error: { code: "forbidden", message: "Not authorized" } },
        { status: 403 },
      );
    url.pathname = pathWithoutVersion(url.pathname);
    if (url.pathname.startsWith("/security/firewall/config")) {
      const project = url.searchParams.get("projectId") ?? "";
      const exists = fake.living("/projects").some(({ key }) => key === project);
      const body = exists ? await firewall.answer(request, project) : undefined;
      if (body !== undefined) return Response.json(body);
      const error = { code: "not_found", message: "The project has no firewall." };
      return Response.json({ error }, { status: 404 });
    }
    return fake.fetch(new Request(url, request));
  });
  return describedCloud(fake, proxy, {
    region: "fra1",
    config: { teamId: TEAM },
    credential: TOKEN,
  });
}
