import { describe, expect, it } from "vitest";
import { once } from "./once.ts";

describe("once", () => {
  it("makes a value once, even `undefined`", async () => {
    let made = 0;
    const get = once(async () => {
      made += 1;
      return undefined;
    });
    expect([await get(), await get(), made]).toEqual([undefined, undefined, 1]);
  });

  it("makes it again while the first attempt stays pending or after it failed", async () => {
    const outcomes = [new Promise<string>(() => undefined), Promise.reject(new Error("no"))];
    const get = once(() => outcomes.shift() ?? Promise.resolve("made"));
    void get();
    await expect(get()).rejects.toThrow("no");
    expect(await get()).toBe("made");
  });
});
