import { describe, expect, it } from "vitest";
import { ApiError } from "#kernel/errors.ts";
import { defaultPolicy } from "./default-policy.ts";
import { enforceRateLimit, limitHeaders, type LimitState, networkOf } from "./rate-limit.ts";

/** A stand-in for the binding in its strictest form: it counts all locations together. */
function limiter(limit: number) {
  let used = 0;
  return { RATE_LIMITER: { limit: async () => ({ success: (used += 1) <= limit }) } };
}

async function ask(env: ReturnType<typeof limiter>, key: string, now: number): Promise<LimitState> {
  let told: LimitState | undefined;
  await enforceRateLimit(env, key, now, (state) => (told = state)).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ApiError);
    expect((error as ApiError).headers["retry-after"]).toBe("60");
    expect(told?.remaining).toBe(0);
  });
  if (told === undefined) throw new Error("No limit was reported");
  return told;
}

describe("the default limit", () => {
  it("reports the rest of each key separately, until the window ends", async () => {
    const env = limiter(1_000);
    const minute = 1_000 * 60_000;
    expect(await ask(env, "a", minute)).toEqual({
      ...defaultPolicy,
      remaining: 599,
      resetSeconds: 60,
    });
    expect(await ask(env, "a", minute + 17_001)).toMatchObject({
      remaining: 598,
      resetSeconds: 43,
    });
    expect(await ask(env, "b", minute + 59_999)).toMatchObject({ remaining: 599, resetSeconds: 1 });
    expect(await ask(env, "a", minute + 60_000)).toMatchObject({
      remaining: 599,
      resetSeconds: 60,
    });
  });

  it("never reports more than is left, and 0 when it rejects", async () => {
    const env = limiter(3);
    for (const remaining of [599, 598, 597, 0, 0])
      expect((await ask(env, "c", 5 * 60_000)).remaining).toBe(remaining);
  });

  it("reports 0, never less, to a key that the binding still accepts", async () => {
    const env = limiter(1_000);
    for (let sent = 0; sent < 605; sent += 1) await ask(env, "d", 7 * 60_000);
    expect(await ask(env, "d", 7 * 60_000)).toMatchObject({ remaining: 0 });
  });
});

it("formats the limits as in the draft", () => {
  expect(limitHeaders([])).toEqual({});
  const deploys = {
    name: "deploys",
    quota: 120,
    windowSeconds: 60,
    remaining: 0,
    resetSeconds: 12,
  };
  expect(limitHeaders([{ ...defaultPolicy, remaining: 599, resetSeconds: 42 }, deploys])).toEqual({
    "ratelimit-policy": '"default";q=600;w=60, "deploys";q=120;w=60',
    ratelimit: '"default";r=599;t=42, "deploys";r=0;t=12',
  });
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["local", "local"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:0DB8:0001:0002::9", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["2001:db8:0:0:ffff::", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["::", "0:0:0:0"],
  ["::ffff:192.0.2.7", "0:0:0:0"],
])("counts %s as %s", (address, network) => {
  expect(networkOf(address)).toBe(network);
});
