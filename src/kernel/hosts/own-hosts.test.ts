import { afterEach, describe, expect, it, vi } from "vitest";
import { noteHost } from "./own-hosts.ts";

const HOUR_MS = 60 * 60_000;

/** The hosts that requests at these times write. */
async function written(host: string, timesMs: readonly number[], fails = false): Promise<string[]> {
  const found: string[] = [];
  const run = async (): Promise<object> => {
    if (fails) throw new Error("D1_ERROR: Network connection lost.");
    return { success: true, results: [], meta: {} };
  };
  const prepare = () => ({
    bind: (...values: string[]) => {
      found.push(String(values[0]));
      return { run, all: run, raw: run };
    },
  });
  const env = { DB: { prepare } as unknown as D1Database, WEBHOOK_ALLOW_INSECURE: "off" };
  for (const nowMs of timesMs) {
    const works: Promise<unknown>[] = [];
    noteHost(new URL(`https://${host}/`), { env, nowMs, after: (work) => works.push(work) });
    await Promise.all(works);
  }
  return found;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the host of a request", () => {
  it("is written by its first request, and again after an hour", async () => {
    expect(await written("a.test", [0, 1, HOUR_MS - 1, HOUR_MS, HOUR_MS + 1])).toEqual([
      "a.test",
      "a.test",
    ]);
  });

  it("is written by the next request if it could not be", async () => {
    vi.spyOn(console, "warn").mockReturnValue();
    expect(await written("b.test", [0, 1], true)).toEqual(["b.test", "b.test"]);
  });

  it("is not written for a name too many", async () => {
    const many = Array.from({ length: 120 }, (_, at) => `${at}.many.test`);
    const found = await Promise.all(many.map((host) => written(host, [0])));
    expect(found.flat().length).toBeLessThanOrEqual(100);
    expect(await written("a.test", [3 * HOUR_MS])).toEqual(["a.test"]);
  });
});
