/** Answers of a cloud that are outdated, or from a gateway: one such answer forgets, doubles or finishes nothing. */
import { beforeAll, describe, expect, it } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { answering, digitaloceanScene, fetchFromScenes } from "./digitalocean-scene.ts";

const missing = () =>
  Response.json({ id: "not_found", message: "The resource could not be found." }, { status: 404 });
const page = () =>
  new Response("<html>sign in</html>", { headers: { "content-type": "text/html" } });
const empty =
  (status = 204) =>
  () =>
    new Response(null, { status });

const database = (size: string, more: JsonMap = {}) => ({
  db: {
    type: "digitalocean:Database",
    properties: { engine: "pg", version: "16", num_nodes: 1, size, region: "nyc3", ...more },
    options: { protect: true },
  },
});
const volume = (size: number, options: JsonMap = {}) => ({
  v: {
    type: "digitalocean:Volume",
    properties: { name: "data", region: "nyc3", size_gigabytes: size },
    options,
  },
});
const network = (description: string) => ({
  net: { type: "digitalocean:Vpc", properties: { name: "net", region: "nyc3", description } },
});
const reads = (path: RegExp) => (request: Request) =>
  request.method === "GET" && path.test(new URL(request.url).pathname);

beforeAll(fetchFromScenes);

describe.concurrent("one answer that an object does not exist", () => {
  it("in an update makes no second object, whoever named it", async () => {
    for (const more of [{}, { name: "main" }]) {
      const scene = await digitaloceanScene(database("s-1", more));
      const before = [scene.living("/v2/databases"), await scene.managed()];
      scene.intercept(answering(reads(/^\/v2\/databases\/[^/]+$/), missing));
      const over = await scene.deploy(database("s-2", more));
      expect(over, JSON.stringify(over)).toMatchObject({ state: "SUCCEEDED", actions: ["update"] });
      expect([scene.living("/v2/databases"), await scene.managed()]).toEqual(before);
      const [shown] = scene.cloud.fake.living("/v2/databases");
      expect(shown?.shown["size"]).toBe("s-2");
    }
  });

  it("in the poll of an update makes no second object", async () => {
    const balancer = (port: number) => ({
      lb: {
        type: "digitalocean:LoadBalancer",
        properties: {
          name: "front",
          region: "nyc3",
          tag: "web",
          forwarding_rules: [
            { entry_protocol: "http", entry_port: port, target_protocol: "http", target_port: 80 },
          ],
        },
      },
    });
    const scene = await digitaloceanScene(balancer(80));
    const before = scene.living("/v2/load_balancers");
    let step = 0;
    scene.intercept(async (request, next) => {
      if (request.method === "PUT") {
        step = 1;
        const answer = await next(request);
        return new Response((await answer.text()).replace('"active"', '"new"'), answer);
      }
      if (step !== 1) return next(request);
      step = 2;
      return missing();
    });
    const over = await scene.deploy(balancer(81));
    expect(over.state, JSON.stringify(over)).toBe("SUCCEEDED");
    expect(step).toBe(2);
    expect(scene.living("/v2/load_balancers")).toEqual(before);
  });

  it("that is true ends the update, and the next plan shows the creation", async () => {
    const scene = await digitaloceanScene(database("s-1"));
    const [old] = scene.cloud.fake.living("/v2/databases");
    if (old !== undefined) scene.cloud.fake.remove(old);
    const found = await scene.deploy(database("s-2"));
    expect(found).toMatchObject({
      state: "FAILED",
      actions: ["update"],
      error: { code: "deleted_outside" },
    });
    expect(scene.living("/v2/databases")).toEqual([]);
    const mended = await scene.deploy();
    expect(mended).toMatchObject({ state: "SUCCEEDED", actions: ["create"] });
    expect(scene.living("/v2/databases")).toHaveLength(1);
  });
});

describe.concurrent("a delete", () => {
  it.for([
    ["that does not find the object", missing],
    ["that a gateway answers", page],
  ] as const)("%s once leaves nothing behind", async ([, answer]) => {
    const scene = await digitaloceanScene(volume(10));
    scene.intercept(answering(({ method }) => method === "DELETE", answer));
    const over = await scene.destroy();
    expect(over.state, JSON.stringify(over)).toBe("SUCCEEDED");
    expect([scene.living("/v2/volumes"), await scene.managed()]).toEqual([[], []]);
  });

  it("that a gateway answers and a late read seems to deny leaves an object that is read first", async () => {
    const scene = await digitaloceanScene(volume(10));
    const [made] = scene.living("/v2/volumes");
    let shown: Response | undefined;
    let sent = 0;
    scene.intercept(async (request, next) => {
      const isRead = reads(/^\/v2\/volumes\/[^/]+$/)(request);
      if (request.method === "DELETE" && request.url.includes("/volumes/")) {
        sent += 1;
        if (sent > 1) return Response.json({ id: "forbidden" }, { status: 403 });
        shown = await next(new Request(request.url, { headers: request.headers }));
        await next(request);
        return page();
      }
      return isRead && sent === 1 && shown !== undefined ? shown.clone() : next(request);
    });
    const over = await scene.destroy();
    expect([over.state, sent], JSON.stringify(over)).toEqual(["FAILED", 2]);
    expect(scene.living("/v2/volumes")).toEqual([]);
    expect(await scene.managed()).toEqual([`v ${made} UNREADY`]);
    expect((await scene.deploy()).state).toBe("SUCCEEDED");
    expect(scene.living("/v2/volumes")).toHaveLength(1);
  });

  it("that is accepted and not done keeps the object in the state", async () => {
    const scene = await digitaloceanScene(volume(10, { customTimeouts: { delete: "3s" } }));
    scene.intercept(answering(({ method }) => method === "DELETE", empty()));
    const over = await scene.destroy();
    expect(over).toMatchObject({
      state: "FAILED",
      error: { code: "timed_out", message: expect.stringContaining("still exists") },
    });
    const [id] = scene.living("/v2/volumes");
    expect(await scene.managed()).toEqual([`v ${id} UNREADY`]);
    expect((await scene.destroy()).state).toBe("SUCCEEDED");
    expect(scene.living("/v2/volumes")).toEqual([]);
  });

  it("that is asynchronous is not over at the first read that does not find the object", async () => {
    const scene = await digitaloceanScene({
      web: {
        type: "digitalocean:Droplet",
        properties: { name: "w", region: "nyc3", size: "s-1", image: "debian" },
        options: { customTimeouts: { delete: "6s" } },
      },
    });
    let step = 0;
    scene.intercept(async (request, next) => {
      if (request.method === "DELETE") {
        step = 1;
        return empty()();
      }
      if (step !== 1) return next(request);
      step = 2;
      return missing();
    });
    const over = await scene.destroy();
    expect([over.state, step]).toEqual(["FAILED", 2]);
    expect(scene.living("/v2/droplets")).toHaveLength(1);
    expect(await scene.managed()).toHaveLength(1);
  });
});

describe.concurrent("an update", () => {
  const accepted = (status: "in-progress" | "completed") =>
    Response.json(
      {
        action: {
          id: 7,
          status,
          type: "resize",
          started_at: "2026-01-01T00:00:00Z",
          completed_at: null,
          resource_id: null,
          resource_type: "volume",
          region_slug: "nyc3",
        },
      },
      { status: 202 },
    );

  it("that is accepted and never done ends in words, and the next deployment sends it again", async () => {
    const options = { customTimeouts: { update: "3s" } };
    const scene = await digitaloceanScene(volume(10, options));
    scene.intercept(
      answering(
        ({ method }) => method === "POST",
        () => accepted("in-progress"),
        9,
      ),
    );
    const over = await scene.deploy(volume(50, options));
    expect(over).toMatchObject({
      state: "FAILED",
      error: {
        code: "timed_out",
        message: expect.stringContaining("still shows the earlier value of size_gigabytes"),
      },
    });
    scene.intercept();
    expect((await scene.deploy()).state).toBe("SUCCEEDED");
    expect(scene.cloud.fake.living("/v2/volumes")[0]?.shown["size_gigabytes"]).toBe(50);
  });

  it("that takes effect late is waited for", async () => {
    const scene = await digitaloceanScene(volume(10));
    scene.intercept(async (request, next) => {
      const [object] = scene.cloud.fake.living("/v2/volumes");
      if (request.method !== "POST" || object === undefined) return next(request);
      setTimeout(() => void (object.shown["size_gigabytes"] = 50), 1_000);
      return accepted("completed");
    });
    const over = await scene.deploy(volume(50));
    expect(over.state, JSON.stringify(over)).toBe("SUCCEEDED");
    expect(over.log).toContainEqual(expect.stringMatching(/^v: .* still shows .*size_gigabytes/));
    expect((await scene.checkDrift()).state).toBe("NO_CHANGES");
  });

  it("that a gateway answers is sent again", async () => {
    const scene = await digitaloceanScene(network("a"));
    scene.intercept(answering(({ method }) => method === "PUT", page));
    const over = await scene.deploy(network("b"));
    expect(over.state, JSON.stringify(over)).toBe("SUCCEEDED");
    expect(scene.cloud.fake.living("/v2/vpcs")[0]?.shown["description"]).toBe("b");
  });
});

it("an address that is never assigned is drift, which the next deployment corrects", async () => {
  const droplet = {
    type: "digitalocean:Droplet",
    properties: { name: "w", region: "nyc3", size: "s-1", image: "debian" },
  };
  const alone = { w: droplet };
  const scene = await digitaloceanScene(alone);
  const unassign = () => {
    const [address] = scene.cloud.fake.living("/v2/reserved_ips");
    if (address !== undefined) address.shown["droplet"] = null;
  };
  scene.intercept(async (request, next) => {
    const answer = await next(request);
    if (request.method !== "POST" || !request.url.endsWith("/reserved_ips")) return answer;
    unassign();
    const body: { reserved_ip: JsonMap } = await answer.json();
    body.reserved_ip["droplet"] = null;
    return Response.json(body, { status: answer.status });
  });
  const ip = { type: "digitalocean:ReservedIp", properties: { droplet_id: "${w.id}" } };
  expect((await scene.deploy({ ...alone, ip })).state).toBe("SUCCEEDED");
  const found = await scene.checkDrift();
  expect(found).toMatchObject({ state: "SUCCEEDED", actions: ["unchanged", "update"] });
  const mended = await scene.deploy();
  expect(mended.state, JSON.stringify(mended)).toBe("SUCCEEDED");
  const [address] = scene.cloud.fake.living("/v2/reserved_ips");
  expect(address?.shown["droplet"]).not.toBeNull();
});
