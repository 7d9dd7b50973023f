import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknownOf } from "#engine/value.ts";
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
    const id = unknownOf("string", "number");
    expect(plannedOutputs({ action: "create", inputs }, undefined, facts, undefined)).toEqual(
      new PartlyKnown({ size: 1 }, { id }),
    );
    expect(plannedOutputs({ action: "update", inputs }, stored, facts, undefined)).toEqual(
      new PartlyKnown({ size: 1, id: "7" }, { id }),
    );
    expect(plannedOutputs({ action: "replace", inputs }, stored, facts, "imported")).toEqual(
      new PartlyKnown({ size: 1 }, { id }),
    );
  });

  it("of a planned object have the types that the catalogue lists, or that the cloud returned before", () => {
    const properties = {
      size: { type: "integer", description: "" },
      open: { type: "boolean", description: "" },
      any: { description: "" },
    } as const;
    const listed = { writeOnly: [], properties, outputs: ["id", "status"] };
    const later = (action: "create" | "update", facts: Parameters<typeof plannedOutputs>[2]) => {
      const outputs = { id: 7, open: null, size: "s", tags: new Secret([1]), host: { a: 1 } };
      const planned = plannedOutputs(
        { action, inputs: {} },
        { id: "7", outputs },
        facts,
        undefined,
      );
      return planned instanceof PartlyKnown
        ? Object.fromEntries(Object.entries(planned.later).map(([key, { types }]) => [key, types]))
        : undefined;
    };
    const id = ["string", "number"];
    const table = { size: ["integer"], open: ["boolean"], any: undefined };
    expect(later("create", listed)).toEqual({ id, ...table });
    // Without a list of all outputs, a cloud may return another form than it takes.
    expect(later("create", { writeOnly: [], properties })).toEqual({ id });
    expect(later("update", listed)).toEqual({
      ...table,
      id: ["number"],
      size: ["string"],
      tags: ["array"],
      host: ["object"],
    });
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
    new PartlyKnown({ token: own, size: 1 }, { id: unknownOf("string", "number") }),
  );
  expect(markSecret({ token: new Secret("t") }, ["token"])).toEqual({ token: new Secret("t") });
  const inside = [new Secret("t")];
  expect(markSecret({ token: inside }, ["token"])).toEqual({ token: new Secret(inside) });
});
