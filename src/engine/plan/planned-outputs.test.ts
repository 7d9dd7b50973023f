import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret } from "#engine/value.ts";
import { markSecret, plannedOutputs, storedOutputs } from "./planned-outputs.ts";

describe("outputs", () => {
  it("include the provider's id when they lack one", () => {
    expect(storedOutputs({ id: "7", outputs: { ref: "7" } })).toEqual({ ref: "7", id: "7" });
    expect(storedOutputs({ id: "7", outputs: { id: 7 } })).toEqual({ id: 7 });
  });

  it("of a planned object repeat its inputs, except a sent id and write-only properties", () => {
    const inputs = { id: "mine", size: 1, password: "x" };
    const facts = { writeOnly: ["password"] };
    const stored = { id: "7", outputs: {} };
    expect(plannedOutputs({ action: "create", inputs }, undefined, facts, undefined)).toEqual(
      new PartlyKnown({ size: 1 }),
    );
    expect(plannedOutputs({ action: "update", inputs }, stored, facts, undefined)).toEqual(
      new PartlyKnown({ size: 1, id: "7" }),
    );
    expect(plannedOutputs({ action: "replace", inputs }, stored, facts, "imported")).toEqual(
      new PartlyKnown({ size: 1 }),
    );
  });
});

it("marks declared secret outputs, planned or stored, whatever was stored", () => {
  const stored = { id: "7", outputs: { token: "t", size: 1 } };
  const own = new Secret("t", { sealed: false });
  const marked = { token: own, size: 1, id: "7" };
  const unchanged = { action: "unchanged", inputs: {} } as const;
  expect(plannedOutputs(unchanged, stored, undefined, undefined, ["token"])).toEqual(marked);
  const created = { action: "create", inputs: { token: "t", size: 1 } } as const;
  expect(plannedOutputs(created, undefined, undefined, undefined, ["token"])).toEqual(
    new PartlyKnown({ token: own, size: 1 }),
  );
  expect(markSecret({ token: new Secret("t") }, ["token"])).toEqual({ token: new Secret("t") });
  const inside = [new Secret("t")];
  expect(markSecret({ token: inside }, ["token"])).toEqual({ token: new Secret(inside) });
});
