import { describe, expect, it } from "vitest";
import type { Failed, Session } from "#providers/rest/definition.ts";
import { SessionCache } from "./session-cache.ts";

const now = () => 0;
const sessionOf = (token: string): Session => ({ kind: "session", token, expiresMs: 3_600_000 });
const failed: Failed = {
  kind: "failed",
  code: "x",
  message: "x",
  retryable: true,
  unknownOutcome: false,
};

describe("the sessions of an isolate", () => {
  it("are so many at most: the longest unused is forgotten first", async () => {
    const cache = new SessionCache(2);
    const obtained: string[] = [];
    const get = (key: string) =>
      cache.get(key, now, async () => {
        obtained.push(key);
        return sessionOf(key);
      });
    for (const key of ["a", "b", "a", "c", "a", "b"]) await get(key);
    expect(obtained).toEqual(["a", "b", "c", "b"]);
  });

  it("have their failures shared by those who wait, and by nobody after them", async () => {
    const cache = new SessionCache(2);
    let asked = 0;
    const get = () =>
      cache.get("a", now, async () => {
        asked += 1;
        return failed;
      });
    expect(await Promise.all([get(), get()])).toEqual([failed, failed]);
    expect(asked).toBe(1);
    await get();
    expect(asked).toBe(2);
  });

  it("do not wait for ever for a Worker that died while it asked", async () => {
    const cache = new SessionCache(2, 20);
    let asked = 0;
    const dead = cache.get("a", now, () => new Promise(() => undefined));
    const get = () =>
      cache.get("a", now, async () => {
        asked += 1;
        return sessionOf("alive");
      });
    const alive = sessionOf("alive");
    expect(await Promise.all([get(), get(), get()])).toEqual([alive, alive, alive]);
    expect(asked).toBe(1);
    expect(await get()).toEqual(alive);
    void dead;
  });

  it("are dropped only if they are still the same", async () => {
    const cache = new SessionCache(2);
    const old = sessionOf("old");
    const fresh = sessionOf("new");
    await cache.get("a", now, async () => old);
    cache.drop("a", old);
    await cache.get("a", now, async () => fresh);
    cache.drop("a", old);
    expect(await cache.get("a", now, async () => failed)).toBe(fresh);
  });
});
