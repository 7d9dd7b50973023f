/** What six clouds bring about when they fail, lag or answer nonsense. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Json, JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "./provider.ts";
import { providerFor } from "./registry.ts";
import { DEFAULT_TIMEOUT_MS } from "./transport.ts";

const NOW_MS = Date.parse("2026-01-02T00:00:00Z");
const MADE = "2026-01-02T00:00:01Z";
const TOKEN = "canary-token-0123456789";

interface Cloud {
  type: string;
  config?: JsonMap;
  region: string;
  properties: JsonMap;
  /** The object as a read shows it; the id is at `id` in it. */
  shown: JsonMap;
  id: string;
  collection: string;
  wrap?: (object: JsonMap) => Json;
  list: (objects: JsonMap[]) => JsonMap | JsonMap[];
  /** A page after which there is another. */
  firstPage?: (objects: JsonMap[]) => JsonMap | JsonMap[];
}

const clouds: readonly Cloud[] = [
  {
    type: "vultr:Vpc",
    region: "ewr",
    properties: { region: "ewr", description: "net" },
    shown: { region: "ewr", description: "net", date_created: MADE },
    id: "id",
    collection: "/v2/vpcs",
    wrap: (vpc) => ({ vpc }),
    list: (vpcs) => ({ vpcs, meta: { links: { next: "" } } }),
    firstPage: (vpcs) => ({ vpcs, meta: { links: { next: "cursor-2" } } }),
  },
  {
    type: "magalu:Vpc",
    region: "br-se1",
    properties: { region: "br-se1", name: "net" },
    shown: { name: "net", created_at: MADE, status: "created" },
    id: "id",
    collection: "/br-se1/network/v0/vpcs",
    list: (vpcs) => ({ vpcs }),
  },
  {
    type: "render:Project",
    config: { ownerId: "tea-acme" },
    region: "frankfurt",
    properties: { name: "net", environments: [{ name: "live" }] },
    shown: { name: "net", createdAt: MADE },
    id: "id",
    collection: "/v1/projects",
    list: (projects) => projects.map((project) => ({ project, cursor: "c" })),
    firstPage: (projects) =>
      Array.from({ length: 100 }, (_, at) => ({
        project: projects[at] ?? { id: `prj-${at}`, name: "other" },
        cursor: `c${at}`,
      })),
  },
  {
    type: "vercel:Project",
    config: { teamId: "team_acme" },
    region: "fra1",
    properties: { name: "net" },
    shown: { name: "net", createdAt: Date.parse(MADE) },
    id: "id",
    collection: "/v11/projects",
    list: (projects) => ({ projects, pagination: { next: null } }),
    firstPage: (projects) => ({ projects, pagination: { next: 2 } }),
  },
  {
    type: "supabase:Project",
    config: { organizationSlug: "acme" },
    region: "eu-central-1",
    properties: { name: "net", organization_slug: "acme", region: "eu-central-1", db_pass: "p" },
    shown: {
      name: "net",
      organization_slug: "acme",
      region: "eu-central-1",
      created_at: MADE,
      status: "ACTIVE_HEALTHY",
    },
    id: "ref",
    collection: "/v1/projects",
    list: (projects) => projects,
  },
  {
    type: "coreweave:Vpc",
    region: "US-EAST-04A",
    properties: { name: "net", zone: "US-EAST-04A" },
    shown: { name: "net", zone: "US-EAST-04A", createdAt: MADE, status: "STATUS_READY" },
    id: "id",
    collection: "/v1beta1/networking/vpcs",
    wrap: (vpc) => ({ vpc }),
    list: (items) => ({ items }),
  },
];

type Answer = (request: Request) => Response | Error | Promise<Response>;

/** A cloud that answers each method as told, and where its requests went. */
function failing({ type, config = {}, region }: Cloud, answer: Answer) {
  const requests: Request[] = [];
  const context: ProviderContext = {
    targetId: "target-1",
    region,
    config,
    credential: TOKEN,
    now: () => NOW_MS,
    fetch: async (request) => {
      requests.push(request.clone());
      const answered = answer(request);
      if (answered instanceof Error) throw answered;
      return answered;
    },
  };
  const provider = providerFor(type.split(":")[0] ?? "") as Provider;
  return { provider, context, requests };
}

const objectOf = (cloud: Cloud, id: Json = "id-1", more: JsonMap = {}): JsonMap => ({
  ...cloud.shown,
  ...more,
  [cloud.id]: id,
});
const wrapped = (cloud: Cloud, object: JsonMap): Json => cloud.wrap?.(object) ?? object;
const callOf = ({ type, properties }: Cloud) => ({
  type,
  name: "net",
  properties,
  token: "token-1",
});
const lookUpOf = (cloud: Cloud) => ({ ...callOf(cloud), known: [], sentMs: NOW_MS });

const nonsense: readonly [string, () => Response][] = [
  ["nothing", () => new Response(null, { status: 200 })],
  ["a page", () => new Response("<html>", { headers: { "content-type": "text/html" } })],
  ["no JSON", () => new Response("{", { headers: { "content-type": "application/json" } })],
  ["null", () => Response.json(null)],
  ["a list of nothing", () => Response.json([null, 1])],
  ["5 MiB", () => new Response(" ".repeat(5 * 1024 * 1024))],
  ["levels", () => Response.json(JSON.parse("[".repeat(200) + "]".repeat(200)))],
];

describe.each(clouds)("$type at a cloud", (cloud) => {
  it.each(nonsense)(
    "that answers %s: nothing is gone, and nothing counts as unmade",
    async (_, answer) => {
      const { provider, context } = failing(cloud, answer);
      const call = callOf(cloud);
      const at = { ...call, id: "id-1" };
      expect(await provider.create(context, call)).toMatchObject({ unknownOutcome: true });
      const read = await provider.read(context, at);
      expect(read).toMatchObject({ kind: "failed", unknownOutcome: false });
      const found = await provider.lookUp(context, lookUpOf(cloud));
      expect(found).toMatchObject({ kind: "failed", unknownOutcome: true });
      const deleted = await provider.delete(context, at);
      expect(deleted.kind).not.toBe("gone");
      const updated = await provider.update(context, { ...at, before: {}, unsure: true });
      expect(["failed", "pending"]).toContain(updated.kind);
    },
  );

  it.each(["3600", "soon", "-5", "99999999999999", "1e9", "Wed, 21 Oct 2099 07:28:00 GMT", "0"])(
    "that throttles with Retry-After %s is waited for within a day",
    async (after) => {
      const headers = { "retry-after": after };
      const { provider, context } = failing(cloud, () =>
        Response.json({ message: "slow down" }, { status: 429, headers }),
      );
      const outcome = await provider.create(context, callOf(cloud));
      expect(outcome).toMatchObject({
        kind: "failed",
        means: "throttled",
        retryable: true,
        unknownOutcome: false,
      });
      const { afterMs = 0 } = outcome as { afterMs?: number };
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThanOrEqual(86_400_000);
      if (after === "3600") expect(afterMs).toBe(3_600_000);
    },
  );

  it.each([301, 302, 303, 307, 308])(
    "that redirects with %i gets no further request",
    async (status) => {
      const { provider, context, requests } = failing(
        cloud,
        () => new Response(null, { status, headers: { location: "https://evil.example/steal" } }),
      );
      const at = { ...callOf(cloud), id: "id-1" };
      const outcomes: Outcome[] = [
        await provider.create(context, callOf(cloud)),
        await provider.read(context, at),
        await provider.lookUp(context, lookUpOf(cloud)),
        await provider.delete(context, at),
      ];
      for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: "failed" });
      expect(outcomes[0]).toMatchObject({ unknownOutcome: true });
      for (const request of requests) {
        expect(request.redirect).toBe("manual");
        expect(new URL(request.url).hostname).not.toBe("evil.example");
      }
      expect(JSON.stringify(outcomes)).not.toContain(TOKEN);
    },
  );

  it.each<[string, Json]>([
    ["..", ".."],
    ["a path", "../../v2/account"],
    ["a slash", "a/b"],
    ["encoded dots", "%2e%2e"],
    ["a query", "x?all=true"],
    ["a fragment", "x#y"],
    ["a line break", "a\r\nb"],
    ["nothing", ""],
    ["a map", { id: "x" }],
    ["a fraction", 1.5],
  ])("whose id is %s is asked for nothing beside its collection", async (_, id) => {
    const object = objectOf(cloud, id);
    const { provider, context, requests } = failing(cloud, ({ method, url }) =>
      method === "GET" && new URL(url).pathname.endsWith(cloud.collection.split("/").at(-1) ?? "")
        ? Response.json(cloud.list([object]))
        : Response.json(wrapped(cloud, object)),
    );
    const made = await provider.create(context, callOf(cloud));
    const found = await provider.lookUp(context, lookUpOf(cloud));
    for (const outcome of [made, found])
      if ("id" in outcome && outcome.id !== undefined) {
        const at = { ...callOf(cloud), id: outcome.id };
        await provider.read(context, at);
        await provider.delete(context, at);
      } else expect(outcome).toMatchObject({ kind: "failed", unknownOutcome: true });
    const unversioned = (path: string) => path.replaceAll(/\/v\d+[a-z0-9]*/g, "");
    const base = unversioned(cloud.collection);
    for (const { url } of requests) {
      const { pathname, searchParams, hash } = new URL(url);
      const path = unversioned(pathname);
      expect(path.startsWith(base), pathname).toBe(true);
      expect(path.slice(base.length), pathname).toMatch(/^(\/[^/]+)?$/);
      expect([...searchParams.keys()]).not.toContain("all");
      expect(hash).toBe("");
    }
  });

  it.each(["id-2", "..", "a/b"])(
    "that shows %s in place of what was asked for shows another object",
    async (id) => {
      const { provider, context } = failing(cloud, () =>
        Response.json(wrapped(cloud, objectOf(cloud, id))),
      );
      const read = await provider.read(context, { ...callOf(cloud), id: "id-1" });
      expect(read).toMatchObject({ kind: "failed", code: "other_id" });
    },
  );

  it("that does not find at once what it made is asked again, and no second one is made", async () => {
    const { provider, context, requests } = failing(cloud, ({ method }) =>
      method === "POST"
        ? Response.json(wrapped(cloud, objectOf(cloud)), { status: 201 })
        : Response.json({ message: "not found", error: { code: "not_found" } }, { status: 404 }),
    );
    const made = await provider.create(context, callOf(cloud));
    expect(["done", "pending"]).toContain(made.kind);
    expect(made).toMatchObject({ id: "id-1" });
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  it("whose list ends with an error leaves open whether the object is there", async () => {
    let pages = 0;
    const { firstPage } = cloud;
    const { provider, context } = failing(cloud, () => {
      pages += 1;
      return firstPage !== undefined && pages === 1
        ? Response.json(firstPage([]))
        : Response.json({ message: "oops" }, { status: 500 });
    });
    const found = await provider.lookUp(context, lookUpOf(cloud));
    expect(found).toMatchObject({ kind: "failed", retryable: true, unknownOutcome: true });
    expect(pages).toBe(firstPage === undefined ? 1 : 2);
  });

  it("that has another's object of the name takes it for none of ours", async () => {
    const before = {
      ...objectOf(cloud, "id-0"),
      ...Object.fromEntries(
        ["date_created", "created_at", "createdAt"].flatMap((name) =>
          cloud.shown[name] === undefined
            ? []
            : [
                [
                  name,
                  typeof cloud.shown[name] === "number"
                    ? 1_600_000_000_000
                    : "2020-09-13T12:26:40Z",
                ],
              ],
        ),
      ),
    };
    const { provider, context, requests } = failing(cloud, ({ method, url }) => {
      if (method === "POST")
        return Response.json({ message: "the name already exists" }, { status: 409 });
      return new URL(url).pathname.endsWith("id-0")
        ? Response.json(wrapped(cloud, before))
        : Response.json(cloud.list([before]));
    });
    expect(await provider.lookUp(context, lookUpOf(cloud))).toEqual({ kind: "gone" });
    const made = await provider.create(context, callOf(cloud));
    expect(made).toMatchObject({ kind: "failed" });
    expect(made).not.toHaveProperty("id");
    expect(requests.some(({ method }) => ["PATCH", "PUT", "DELETE"].includes(method))).toBe(false);
  });

  it("that drops a connection leaves open whether it took a create", async () => {
    const { provider, context } = failing(cloud, () => new Error("dropped"));
    expect(await provider.create(context, callOf(cloud))).toMatchObject({
      kind: "failed",
      retryable: true,
      unknownOutcome: true,
    });
  });

  describe("that does not answer", () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    });
    afterEach(() => {
      vi.useRealTimers();
    });

    /** Answers never, or begins an answer that it does not end. */
    const silences: readonly [string, () => Promise<Response>][] = [
      ["at all", () => new Promise(() => {})],
      [
        "to the end",
        async () => {
          const body = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array([0x7b])) });
          const headers = { "content-type": "application/json" };
          return new Response(body, { status: 201, headers });
        },
      ],
    ];

    /** What comes of a call that is given up when its time is over, and not before. */
    async function atTheLimit(call: Promise<Outcome>): Promise<Outcome> {
      let isOver = false;
      void call.then(() => (isOver = true));
      await vi.advanceTimersByTimeAsync(DEFAULT_TIMEOUT_MS - 1);
      expect(isOver).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isOver).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
      return call;
    }

    /** Takes effect at a POST, if it does, and is silent then; lists answer. */
    function silent(silence: () => Promise<Response>, takes: boolean) {
      const made: JsonMap[] = [];
      const { firstPage: _, ...whole } = cloud;
      const cut = failing(whole, ({ method, url }) => {
        if (method === "POST") {
          if (takes) made.push(objectOf(cloud));
          return silence();
        }
        if (method !== "GET") return silence();
        const id = new URL(url).pathname.split("/").at(-1);
        const one = made.find((object) => object[cloud.id] === id);
        return Response.json(one === undefined ? cloud.list(made) : wrapped(cloud, one));
      });
      return { ...cut, made };
    }

    describe.each(silences)("%s", (_, silence) => {
      it("is given up, and the create is sent once and found if it took effect", async () => {
        const { provider, context, requests } = silent(silence, true);
        const outcome = await atTheLimit(provider.create(context, callOf(cloud)));
        expect(outcome).toMatchObject({
          kind: "failed",
          code: "timeout",
          retryable: true,
          unknownOutcome: true,
        });
        expect(outcome).not.toHaveProperty("id");
        const sent = requests.filter(({ method }) => method === "POST");
        expect(sent).toHaveLength(1);
        const found = await provider.lookUp(context, lookUpOf(cloud));
        expect(found).toMatchObject({ kind: "done", id: "id-1" });
        expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
      });

      it("is given up, and nothing is found of a create that took no effect, until it does", async () => {
        const { provider, context, made } = silent(silence, false);
        const outcome = await atTheLimit(provider.create(context, callOf(cloud)));
        expect(outcome).toMatchObject({ code: "timeout", unknownOutcome: true });
        expect(await provider.lookUp(context, lookUpOf(cloud))).toEqual({ kind: "gone" });
        const { longestRequestMs } = provider.repeats(context, cloud.type);
        expect(longestRequestMs).toBeGreaterThanOrEqual(DEFAULT_TIMEOUT_MS);
        made.push(objectOf(cloud));
        const found = await provider.lookUp(context, lookUpOf(cloud));
        expect(found).toMatchObject({ kind: "done", id: "id-1" });
      });

      it("is given up, and an object counts neither as gone nor as deleted", async () => {
        const { provider, context } = failing(cloud, silence);
        const at = { ...callOf(cloud), id: "id-1" };
        expect(await atTheLimit(provider.read(context, at))).toMatchObject({
          code: "timeout",
          retryable: true,
          unknownOutcome: false,
        });
        expect(await atTheLimit(provider.delete(context, at))).toMatchObject({
          code: "timeout",
          retryable: true,
          unknownOutcome: true,
        });
        expect(await atTheLimit(provider.lookUp(context, lookUpOf(cloud)))).toMatchObject({
          kind: "failed",
          retryable: true,
          unknownOutcome: true,
        });
      });
    });

    it("is told that nobody waits any longer", async () => {
      const { provider, context, requests } = silent(() => new Promise(() => {}), true);
      await atTheLimit(provider.create(context, callOf(cloud)));
      expect(requests.at(-1)?.signal.aborted).toBe(true);
    });
  });
});
