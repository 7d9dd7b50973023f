import { describe, expect, it } from "vitest";
import { isFromOutside, outside, outsideObject } from "./outside.ts";

const lost = () => new Error("Network connection lost.");
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("an outside failure", () => {
  it("is the same error, and recognized, also as the cause of another", async () => {
    const error = lost();
    expect(await failureOf(outside(() => Promise.reject(error)))).toBe(error);
    expect(isFromOutside(error)).toBe(true);
    expect(isFromOutside(new Error("The read failed", { cause: error }))).toBe(true);
  });

  it("is neither an error that only looks like one, nor a value that is not an error", async () => {
    expect(isFromOutside(lost())).toBe(false);
    await failureOf(outside(() => Promise.reject("a text")));
    expect(isFromOutside("a text")).toBe(false);
    expect(isFromOutside(undefined)).toBe(false);
  });

  it("is recognized when a method of an outside object throws it, at once or later", async () => {
    const stub = outsideObject({
      name: "gate",
      size: (of: string): Promise<number> => Promise.resolve(of.length),
      later: (): Promise<void> => Promise.reject(lost()),
      atOnce: (): void => {
        throw lost();
      },
    });
    expect(stub.name).toBe("gate");
    expect(await stub.size("four")).toBe(4);
    expect(isFromOutside(await failureOf(stub.later()))).toBe(true);
    expect(isFromOutside(await failureOf((async () => stub.atOnce())()))).toBe(true);
  });
});
