import { describe, expect, it } from "vitest";
import type { Field } from "./act-form.tsx";
import { changedSchemaFields, schemaFields } from "./schema-fields.ts";

const schema = {
  required: ["size", "isPublic"],
  properties: {
    name: { type: "string", pattern: "^[a-z]+$", minLength: 2 },
    zone: { type: "string", description: "Where", pattern: "^z" },
    size: { type: "string", enum: ["small", "large"] },
    isPublic: { type: "boolean" },
    isKept: { type: "boolean" },
    isCached: { type: "boolean", default: true },
    count: { type: "integer", default: 3, minimum: 1, maximum: 9 },
    regions: { type: "array", items: { type: "string" } },
    faults: { type: "array", description: "What fails" },
    operations: { type: "object" },
    tokens: { anyOf: [{ const: "none" }, { type: "object" }], description: "Tokens." },
    password: { type: "string", writeOnly: true },
  },
};

function byName(fields: readonly Field[]): Record<string, Omit<Field, "name">> {
  return Object.fromEntries(fields.map(({ name, ...field }) => [name, field]));
}

describe("the inputs of a schema", () => {
  it("are of the type of each member, and show its rules", () => {
    const fields = byName(schemaFields("config", schema));
    expect(Object.keys(fields)).toEqual(
      Object.keys(schema.properties).map((name) => `config.${name}`),
    );
    expect(Object.values(fields).map(({ kind, hint }) => [kind, hint])).toEqual([
      ["text", "At least 2 characters. It must match ^[a-z]+$."],
      ["text", "Where."],
      ["jsonChoice", undefined],
      ["jsonChoice", undefined],
      ["jsonChoice", undefined],
      ["jsonChoice", undefined],
      ["number", "Default: 3. At least 1. At most 9."],
      ["lines", "One on each line."],
      ["json", "What fails. As JSON: a list."],
      ["json", "As JSON: a map."],
      ["json", "Tokens. As JSON."],
      ["secret", undefined],
    ]);
    const firsts = ["size", "isPublic", "isKept", "isCached"].map(
      (name) => fields[`config.${name}`]?.choices?.[0]?.words,
    );
    expect(firsts).toEqual(["choose", "choose", "not set", "default: true"]);
  });

  it("have the current values, remove emptied ones, and hide only secrets", () => {
    const values = { count: 5, operations: { a: 1 }, password: "[secret]", gone: 1, size: "tiny" };
    const fields = byName(changedSchemaFields("config", schema, values));
    expect(fields["config.count"]).toMatchObject({ value: "5", empty: "null" });
    expect(fields["config.operations"]).toMatchObject({ before: { a: 1 } });
    expect(fields["config.password"]).toEqual({
      words: "password",
      kind: "secret",
      isRequired: false,
      placeholder: "set: type to replace it",
    });
    expect(fields["config.gone"]).toMatchObject({ kind: "json", value: "1", empty: "null" });
    expect(fields["config.size"]).toMatchObject({ value: '"tiny"', isRequired: false });
    expect(fields["config.size"]?.choices?.at(-1)).toEqual({ value: '"tiny"', words: "tiny" });
    expect(fields["config.name"]).not.toHaveProperty("value");
  });
});
