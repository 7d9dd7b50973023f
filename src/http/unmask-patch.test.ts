import { expect, it } from "vitest";
import { unmaskPatch } from "./unmask-patch.ts";

const known = { sealed: new Set(["password"]), secretNames: ["password", "a/b"] };

it("keeps a sealed value that is sent back masked, and passes on values that only look like a mask", () => {
  const patch = {
    password: "[secret]",
    size: "[secret]",
    note: { password: "[secret]" },
    old: null,
  };
  const { password: _, ...rest } = patch;
  expect(unmaskPatch(patch, known)).toEqual(rest);
  const given = { password: "new", "a/b": "[secret] " };
  expect(unmaskPatch(given, known)).toEqual(given);
  expect(unmaskPatch({ password: null }, known)).toEqual({ password: null });
});

it("rejects a mask without a stored value, and names the variable", () => {
  expect(() => unmaskPatch({ "a/b": "[secret]" }, known)).toThrow(
    expect.objectContaining({
      code: "validation_failed",
      faults: [expect.objectContaining({ pointer: "/variables/a~1b" })],
    }) as Error,
  );
});
