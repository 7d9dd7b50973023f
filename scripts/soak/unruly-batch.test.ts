import { expect, it } from "vitest";
import { Random } from "#test/simulation/random.ts";
import { deliverUnruly } from "./worker/unruly-batch.ts";

it("delivers every batch, some of them late, out of order or twice, and sends some messages again", async () => {
  const random = new Random(5);
  const seen = { late: 0, moved: 0, twice: 0, again: 0 };
  for (let nth = 0; nth < 200; nth += 1) {
    const consumed: string[] = [];
    const heard: boolean[] = [];
    await deliverUnruly(["a", "b", "c"], random, {
      consume: async (messages, isHeard) => {
        consumed.push(messages.join(""));
        heard.push(isHeard);
      },
      again: async () => {
        seen.again += 1;
      },
      wait: async () => {
        seen.late += 1;
      },
    });
    for (const order of consumed) expect(order.split("").toSorted().join("")).toBe("abc");
    expect(heard).toEqual([true, false].slice(0, consumed.length));
    if (consumed[0] !== "abc") seen.moved += 1;
    if (consumed.length === 2) seen.twice += 1;
  }
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(20);
});
