import { beforeEach, describe, expect, it } from "vitest";
import type { Behaviour, RealCloud } from "./behaviour.ts";
import { realClouds } from "./real-clouds.ts";
import { RealProfile } from "./real-profile.ts";
import { restShape } from "./rest-shape.ts";

const source = "https://cloud.example/issues/1";
let nowMs = 0;
let things = new Map<string, string>();

beforeEach(() => {
  nowMs = 0;
  things = new Map();
});

/** A cloud with things that have an id and a name. */
async function obedient(request: Request): Promise<Response> {
  const id = new URL(request.url).pathname.split("/")[2] ?? "";
  const shown = (key: string) => ({ id: key, name: things.get(key) ?? "" });
  switch (request.method) {
    case "POST": {
      const key = String(things.size + 101);
      const { name }: { name: string } = await request.json();
      things.set(key, name);
      return Response.json(shown(key), { status: 201 });
    }
    case "DELETE":
      return new Response(null, { status: things.delete(id) ? 204 : 404 });
    default:
      if (id === "") return Response.json({ things: [...things.keys()].map(shown) });
      return things.has(id) ? Response.json(shown(id)) : new Response(null, { status: 404 });
  }
}

function cloudOf(...behaviours: Behaviour[]): RealCloud {
  return restShape({
    error: (_, { code, message }) => ({ code, message }),
    missing: { code: "missing", message: "There is none." },
    behaviours,
  });
}

function send(profile: RealProfile, method: string, path: string, body?: object) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  return profile.fetch(new Request(`https://cloud.example${path}`, init));
}

function always(cloud: RealCloud, seed = 1): RealProfile {
  return new RealProfile(cloud, obedient, { seed, chance: 1, now: () => nowMs });
}

describe("a behaviour that refuses", () => {
  const busy: Behaviour = {
    what: "things are busy",
    source,
    does: "refuse",
    method: /^POST$/,
    at: /^\/things$/,
    status: 409,
    says: { code: "busy", message: "{at} is busy" },
    headers: { "retry-after": "7" },
  };

  it("does so in the vendor's words and not too often in a row", async () => {
    const profile = always(cloudOf(busy));
    const statuses: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      const answer = await send(profile, "POST", "/things", { name: "one" });
      statuses.push(answer.status);
      if (answer.status !== 409) continue;
      expect(await answer.json()).toEqual({ code: "busy", message: "/things is busy" });
      expect(answer.headers.get("retry-after")).toBe("7");
    }
    expect(statuses).toEqual([409, 409, 201, 409, 409, 201]);
    expect(things.size).toBe(2);
    expect(profile.happened).toEqual(new Map([["things are busy", 4]]));
  });

  it("ends at one place", async () => {
    const profile = always(cloudOf(busy));
    for (let call = 0; call < 30; call += 1) await send(profile, "POST", "/things", { name: "a" });
    expect(profile.happened.get("things are busy")).toBe(6);
  });

  it("concerns what is new where it says so, and may have an effect", async () => {
    const fresh: Behaviour = {
      ...busy,
      does: "refuse",
      at: /^\/parts$/,
      fresh: /^\/things\//,
      says: { code: "unseen", message: "{name} is not there" },
      hasEffect: true,
    };
    const profile = always(cloudOf(fresh));
    await send(profile, "POST", "/things", { name: "shop" });
    const refused = await send(profile, "POST", "/parts", { of: "shop", name: "part" });
    expect(await refused.json()).toMatchObject({ message: "shop is not there" });
    expect(things.size).toBe(2);
    expect((await send(profile, "POST", "/parts", { name: "part" })).status).toBe(201);
    nowMs = 121_000;
    expect((await send(profile, "POST", "/parts", { of: "shop", name: "b" })).status).toBe(201);
  });
});

describe("a behaviour of lists and reads", () => {
  const at = /^\/things\/\d+$/;

  it("hides what is new for a while", async () => {
    const hidden = (from: "reads" | "lists"): Behaviour => {
      return { what: `hidden from ${from}`, source, does: "hide", from, at, forMs: 20_000 };
    };
    const profile = always(cloudOf(hidden("reads"), hidden("lists")));
    await send(profile, "POST", "/things", { name: "shop" });
    const missing = await send(profile, "GET", "/things/101");
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ code: "missing", message: "There is none." });
    expect(await (await send(profile, "GET", "/things")).json()).toEqual({ things: [] });
    nowMs = 20_001;
    expect((await send(profile, "GET", "/things/101")).status).toBe(200);
    expect(await (await send(profile, "GET", "/things")).json()).toEqual({
      things: [{ id: "101", name: "shop" }],
    });
  });

  it("shows what is deleted for a while", async () => {
    const kept: Behaviour = { what: "kept", source, does: "keep", at, forMs: 20_000 };
    const profile = always(cloudOf(kept));
    await send(profile, "POST", "/things", { name: "shop" });
    await send(profile, "GET", "/things/101");
    await send(profile, "DELETE", "/things/101");
    expect((await send(profile, "GET", "/things/101")).status).toBe(200);
    nowMs = 20_001;
    expect((await send(profile, "GET", "/things/101")).status).toBe(404);
  });

  it("shows another form of what was sent", async () => {
    const loud: Behaviour = {
      what: "names are loud",
      source,
      does: "show",
      at: /^\/things/,
      as: ({ name, ...rest }) => ({ ...rest, name: JSON.stringify(name).toUpperCase() }),
    };
    const profile = always(cloudOf(loud));
    await send(profile, "POST", "/things", { name: "shop" });
    expect(await (await send(profile, "GET", "/things/101")).json()).toMatchObject({
      name: '"SHOP"',
    });
  });
});

it("a seed repeats what happens", async () => {
  const busy: Behaviour = {
    what: "busy",
    source,
    does: "refuse",
    at: /./,
    status: 503,
    says: { code: "busy", message: "later" },
  };
  const statuses = async (seed: number) => {
    const profile = new RealProfile(cloudOf(busy), obedient, { seed });
    const all: number[] = [];
    for (let call = 0; call < 40; call += 1)
      all.push((await send(profile, "GET", `/things/${call}`)).status);
    return all;
  };
  const first = await statuses(1);
  expect(first).toContain(503);
  expect(first).toContain(404);
  expect(await statuses(1)).toEqual(first);
  expect(await statuses(2)).not.toEqual(first);
});

it("each behaviour of a cloud has a name of its own and a source", () => {
  for (const [provider, { behaviours }] of Object.entries(realClouds)) {
    const names = behaviours.map(({ what }) => what);
    expect(new Set(names).size, provider).toBe(names.length);
    for (const one of behaviours) expect(one.source, one.what).toMatch(/^https:\/\/\S+$/);
  }
});
