import { describe, expect, it } from "vitest";
import { plannedOutputs, storedOutputs } from "./planned-outputs.ts";
import { Partly } from "./value.ts";

describe("outputs", () => {
  it("carry the provider's id where they do not show it", () => {
    expect(storedOutputs({ id: "7", outputs: { ref: "7" } })).toEqual({ ref: "7", id: "7" });
    expect(storedOutputs({ id: "7", outputs: { id: 7 } })).toEqual({ id: 7 });
  });

  it("of a planned object echo its inputs, save an id it was sent and what is never shown", () => {
    const inputs = { id: "mine", size: 1, password: "x" };
    const facts = { writeOnly: ["password"] };
    const stored = { id: "7", outputs: {} };
    expect(plannedOutputs({ action: "create", inputs }, undefined, facts, undefined)).toEqual(
      new Partly({ size: 1 }),
    );
    expect(plannedOutputs({ action: "update", inputs }, stored, facts, undefined)).toEqual(
      new Partly({ size: 1, id: "7" }),
    );
    expect(plannedOutputs({ action: "replace", inputs }, stored, facts, "imported")).toEqual(
      new Partly({ size: 1 }),
    );
  });
});
