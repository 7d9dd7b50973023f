import { afterEach, describe, expect, it, vi } from "vitest";
import { askProvider, TIMEOUT_MS } from "./ask-provider.ts";
import { COOL_DOWN_MS, type Jwk, keysOf, metadataOf, MOST_AT_ONCE, RETRY_MS } from "./discovery.ts";
import { providerSettings } from "./provider-settings.ts";

const HOUR_MS = 3_600_000;
let asked = 0;
let kids: string[] = [];
let made = 0;
/** Each test has its own key set, because the cache is by address. */
const place = () => ({ jwks_uri: `https://keys.example.com/${(made += 1)}` });
const answer = (respond: () => Response | Promise<Response>) => {
  asked = 0;
  vi.stubGlobal("fetch", async () => {
    asked += 1;
    return respond();
  });
};
const headers = { "content-type": "application/json" };
const keys = () => Response.json({ keys: kids.map((kid) => ({ kid, kty: "RSA" })) });
const kidsAt = async (at: { jwks_uri: string }, kid: string | undefined, now: number) => {
  const found = await keysOf(at, kid, { now, development: false });
  return found.ok ? found.value.map((key) => key.kid) : found.reason;
};

afterEach(() => {
  vi.unstubAllGlobals();
});

describe("metadataOf", () => {
  /** Each test has its own provider, for the same reason. */
  const somebody = () => {
    const issuer = `https://id-${(made += 1)}.example.com`;
    const entry = { id: "x", label: "X", issuer, clientId: "c", clientSecret: "OIDC_X" };
    const [provider] = providerSettings(JSON.stringify([entry]), false).providers;
    if (provider === undefined) throw new Error("The provider's settings are not right");
    const at = (name: string) => `${issuer}/${name}`;
    const document = () =>
      Response.json({
        issuer,
        authorization_endpoint: at("authorize"),
        token_endpoint: at("token"),
        jwks_uri: at("keys"),
      });
    const seen = async (now: number) => {
      const found = await metadataOf(provider, { now, development: false });
      return found.ok ? "found" : found.cause;
    };
    const flood = async (now: number) => {
      const many = await Promise.all(Array.from({ length: 100 }, () => seen(now)));
      return many.filter((one) => one === "found").length;
    };
    return { document, seen, flood };
  };
  const down = () => Promise.reject(new Error("down"));

  it("is fetched once an hour", async () => {
    const { document, seen } = somebody();
    answer(document);
    for (const now of [0, 1, HOUR_MS - 1]) expect(await seen(now)).toBe("found");
    expect(asked).toBe(1);
    expect(await seen(HOUR_MS)).toBe("found");
    expect(asked).toBe(2);
  });

  it("is fetched once in two seconds while the provider is down, and found once it has recovered", async () => {
    const { document, seen, flood } = somebody();
    answer(down);
    const why = await seen(0);
    for (let now = 0; now < RETRY_MS; now += 100) expect(await seen(now)).toBe(why);
    expect(asked).toBe(1);
    for (const turn of [1, 2, 3]) expect(await flood(turn * RETRY_MS)).toBe(0);
    expect(asked).toBe(4);
    answer(document);
    expect(await flood(4 * RETRY_MS - 1)).toBe(0);
    expect(asked).toBe(0);
    expect(await seen(4 * RETRY_MS)).toBe("found");
    expect([await flood(4 * RETRY_MS), asked]).toEqual([100, 1]);
  });

  it("is fetched by a bounded number of simultaneous requests while nothing is cached", async () => {
    const { document, seen, flood } = somebody();
    answer(document);
    expect([await flood(0), asked]).toEqual([MOST_AT_ONCE, MOST_AT_ONCE]);
    const hanging = somebody();
    const releases: (() => void)[] = [];
    answer(() => new Promise((_, reject) => releases.push(() => reject(new Error("late")))));
    const first = hanging.flood(0);
    const second = hanging.flood(TIMEOUT_MS - 1);
    expect(asked).toBe(MOST_AT_ONCE);
    const third = hanging.seen(TIMEOUT_MS);
    expect(asked).toBe(MOST_AT_ONCE + 1);
    for (const release of releases) release();
    expect(await Promise.all([first, second])).toEqual([0, 0]);
    expect(await third).not.toBe("found");
    expect(await seen(1)).toBe("found");
  });
});

describe("keysOf", () => {
  it("fetches known keys once an hour", async () => {
    answer(keys);
    kids = ["a"];
    const at = place();
    for (const now of [0, 1, HOUR_MS - 1]) expect(await kidsAt(at, "a", now)).toEqual(["a"]);
    expect(asked).toBe(1);
    kids = ["b"];
    expect(await kidsAt(at, "b", HOUR_MS)).toEqual(["b"]);
    expect(asked).toBe(2);
  });

  it("fetches again for an unknown key, at most once in ten seconds", async () => {
    answer(keys);
    kids = ["a"];
    const at = place();
    await kidsAt(at, "a", 0);
    kids = ["a", "b"];
    const flood = Array.from({ length: 100 }, (_, i) => kidsAt(at, `evil-${i}`, COOL_DOWN_MS));
    expect(new Set((await Promise.all(flood)).map(String))).toEqual(new Set(["a", "a,b"]));
    expect(asked).toBe(2);
    expect(await kidsAt(at, "b", COOL_DOWN_MS + 1)).toEqual(["a", "b"]);
    for (let i = 0; i < 10; i += 1) await kidsAt(at, `more-${i}`, 2 * COOL_DOWN_MS - 1);
    expect(asked).toBe(2);
    await kidsAt(at, "more", 2 * COOL_DOWN_MS);
    expect(asked).toBe(3);
  });

  it("fetches again after a signature that the keys did not verify, at most once in ten seconds", async () => {
    answer(keys);
    kids = ["a"];
    const at = place();
    const again = async (refused: readonly Jwk[], now: number) => {
      const found = await keysOf(at, "a", { now, development: false, refused });
      if (!found.ok) throw new Error(found.reason);
      return found.value;
    };
    const first = await keysOf(at, "a", { now: 0, development: false });
    if (!first.ok) throw new Error(first.reason);
    expect(await again(first.value, COOL_DOWN_MS - 1)).toBe(first.value);
    const flood = await Promise.all(
      Array.from({ length: 100 }, () => again(first.value, COOL_DOWN_MS)),
    );
    expect(asked).toBe(2);
    const newer = flood.filter((found) => found !== first.value);
    expect(newer.length).toBe(1);
    expect(await again(first.value, COOL_DOWN_MS + 1), "that another request fetched").toBe(
      newer[0],
    );
    expect(asked).toBe(2);
  });

  it("does not repeat a failed fetch at once, and uses the cached keys", async () => {
    answer(() => new Response("no", { status: 500 }));
    const at = place();
    expect(await kidsAt(at, "a", 0)).toBe("provider_unreachable");
    expect(await kidsAt(at, "a", COOL_DOWN_MS - 1)).toBe("provider_unreachable");
    expect(asked).toBe(1);
    answer(keys);
    kids = ["a"];
    expect(await kidsAt(at, "a", COOL_DOWN_MS)).toEqual(["a"]);
    answer(() => Promise.reject(new Error("down")));
    expect(await kidsAt(at, "b", 3 * COOL_DOWN_MS)).toEqual(["a"]);
    expect(await kidsAt(at, "a", 2 * HOUR_MS)).toBe("provider_unreachable");
  });

  it.each([["{}"], ["[]"], ["null"], ["no JSON"], ['{"keys":"x"}']])(
    "treats %s as no keys",
    async (text) => {
      answer(() => new Response(text, { headers }));
      expect(await kidsAt(place(), "a", 0)).toBe("provider_unreachable");
    },
  );
});

describe("askProvider", () => {
  const ask = (url = "https://id.example.com/x") => askProvider(url, {}, false);
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => {
          controller.enqueue(new Uint8Array(64 * 1024));
        },
      }),
      { headers },
    );

  it.each<[string, () => Response | Promise<Response>]>([
    [
      "redirects",
      () => new Response(null, { status: 302, headers: { location: "https://x.test" } }),
    ],
    ["answers without end", endless],
    ["answers what it does not call JSON", () => new Response("{}")],
    ["does not answer", () => Promise.reject(new TypeError("down"))],
  ])("fails when the provider %s", async (_, respond) => {
    answer(respond);
    expect(await ask()).toMatchObject({ ok: false, reason: "provider_unreachable" });
  });

  it("sends nothing without TLS", async () => {
    answer(keys);
    expect((await ask("http://id.example.com/")).ok).toBe(false);
    expect(asked).toBe(0);
  });

  it("reads an answer of normal size completely", async () => {
    answer(() => new Response("x".repeat(200_000), { status: 201 }));
    const got = await ask();
    expect(got.ok && [got.value.status, (await got.value.text()).length]).toEqual([201, 200_000]);
  });
});
