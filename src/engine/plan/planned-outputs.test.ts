import { describe, expect, it } from "vitest";
import { PartlyKnown, Secret, unknown, unknownOf, type ValueMap } from "#engine/value.ts";
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
    // Without a complete list of outputs, a cloud may return another form than it takes.
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

describe("outputs by the facts of a type", () => {
  const none = { writeOnly: [] };
  const create = (inputs: ValueMap, facts: Parameters<typeof plannedOutputs>[2]) => {
    const planned = plannedOutputs({ action: "create", inputs }, undefined, facts, undefined);
    return planned instanceof PartlyKnown ? planned.known : planned;
  };

  it("are secret if the cloud creates secrets, even before it does", () => {
    const facts = { ...none, secretOutputs: ["key", "connection.uri", "users[*].password"] };
    expect(create({ connection: { pool: 1 } }, facts)).toEqual({
      key: new Secret(unknown),
      connection: new PartlyKnown({ pool: 1, uri: new Secret(unknown) }),
    });
    expect(create({ key: "k", users: [{ name: "a", password: "p" }] }, facts)).toEqual({
      key: new Secret("k"),
      users: [{ name: "a", password: new Secret("p") }],
      connection: new PartlyKnown({ uri: new Secret(unknown) }),
    });
    const outputs = { id: "7", key: "k", connection: { uri: "u", host: "h" } };
    const unchanged = { action: "unchanged", inputs: {} } as const;
    expect(plannedOutputs(unchanged, { id: "7", outputs }, facts, undefined)).toEqual({
      id: "7",
      key: new Secret("k"),
      connection: { uri: new Secret("u"), host: "h" },
    });
  });

  it("do not repeat write-only properties, at any depth", () => {
    const facts = { writeOnly: ["login.password", "users[*].key"] };
    const inputs = { login: { name: "a", password: "p" }, users: [{ name: "u", key: "k" }] };
    expect(create(inputs, facts)).toEqual({ login: { name: "a" }, users: [{ name: "u" }] });
  });

  it("are at the paths at which the cloud shows them", () => {
    const facts = {
      ...none,
      shownAt: { size: "size_slug", region: "region.slug", nets: "networks[*].id" },
    };
    expect(create({ size: "s", region: "nyc3", nets: ["a"], name: "n" }, facts)).toEqual({
      name: "n",
      size_slug: "s",
      region: new PartlyKnown({ slug: "nyc3" }),
    });
  });

  it("are known by type only, if the cloud may write them in another form", () => {
    const facts = { ...none, caseInsensitive: ["size"], sets: ["tags"] };
    const inputs = { size: "B1", tags: ["b", "a"], steps: [2, 1] };
    expect(create(inputs, facts)).toEqual({
      size: unknownOf("string"),
      tags: unknownOf("array"),
      steps: [2, 1],
    });
    const outputs = { id: "7", size: "b1", tags: ["a", "b"], steps: [] };
    const updated = plannedOutputs(
      { action: "update", inputs },
      { id: "7", outputs },
      facts,
      undefined,
    );
    expect(updated).toMatchObject({ known: { size: "b1", tags: ["a", "b"], steps: [2, 1] } });
    const other = { ...outputs, size: "b2", tags: ["a"] };
    expect(
      plannedOutputs({ action: "update", inputs }, { id: "7", outputs: other }, facts, undefined),
    ).toMatchObject({ known: { size: unknownOf("string"), tags: unknownOf("array") } });
  });
});
