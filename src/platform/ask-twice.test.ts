import { expect, it } from "vitest";
import { askTwice } from "./ask-twice.ts";

/** Stubs with a number each, of which the first `broken` fail. */
function stubs(broken: number) {
  let made = 0;
  const ask = async (stub: number): Promise<string> => {
    if (stub <= broken) throw new Error(`stub ${stub} is broken`);
    return `answered by ${stub}`;
  };
  return { stubOf: () => (made += 1), ask };
}

it("asks once, and again with a new stub after a failure, but not a third time", async () => {
  for (const [broken, answer] of [
    [0, "answered by 1"],
    [1, "answered by 2"],
  ] as const) {
    const { stubOf, ask } = stubs(broken);
    expect(await askTwice(stubOf, ask)).toBe(answer);
  }
  const { stubOf, ask } = stubs(2);
  await expect(askTwice(stubOf, ask)).rejects.toThrow("stub 2 is broken");
});
