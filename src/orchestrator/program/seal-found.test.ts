import { expect, it } from "vitest";
import { Secret } from "#engine/value.ts";
import { sealFound } from "./seal-found.ts";

const text = { description: "", type: "string" } as const;
const facts = {
  properties: { name: text, size: text, env: text },
  outputs: ["id", "status", "name", "size", "env"],
  shown: ["name"],
  writeOnly: [],
};
const found = { id: "n-1", ref: "n-1", name: "n", status: "on", size: "s", env: { a: 1, b: 2 } };
const sealed = {
  ...found,
  size: new Secret(found.size),
  env: new Secret(found.env),
};

it("leaves the id, values that are shown anyway, and values that only the cloud writes", () => {
  expect(sealFound(found, { id: "n-1", inputs: {}, facts })).toEqual(sealed);
});

it("leaves values that the template contains as a whole", () => {
  const inputs = { size: "s", env: { a: 1 } };
  const outputs = sealFound(found, { id: "n-1", inputs, facts });
  expect(outputs).toEqual({ ...sealed, size: "s" });
});

it("seals values that the cloud may have written if the type is unknown or has write-only properties", () => {
  const status = new Secret("on");
  const { outputs: _, ...open } = facts;
  for (const less of [open, { ...facts, writeOnly: ["password"] }])
    expect(sealFound(found, { id: "n-1", inputs: {}, facts: less })).toEqual({ ...sealed, status });
  expect(sealFound(found, { id: "n-1", inputs: {}, facts: undefined })).toEqual({
    ...sealed,
    status,
    name: new Secret("n"),
  });
});

it("seals a property that the type does not know", () => {
  const outputs = sealFound({ other: "x" }, { id: "n-1", inputs: {}, facts });
  expect(outputs).toEqual({ other: new Secret("x") });
});
