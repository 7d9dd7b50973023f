import { describe, expect, it } from "vitest";
import { wantedComponents } from "./wanted-components.ts";

const source = "resources: { net: { component: network, version: ^1.0 } }\n";
const long = `${source}# ${"x".repeat(17_000)}\n`;
const stranger = {
  authenticateFromCache: () => Promise.reject(new Error("The caller is not known")),
};
const member = { authenticateFromCache: () => Promise.resolve() };

describe("the components of a source", () => {
  it("are each component and range once", async () => {
    const both =
      "resources: { a: { component: n }, b: { component: n }, c: { component: n, version: 1 } }";
    const wanted = await wantedComponents(member, {}, both);
    expect(wanted.map(({ component, range }) => [component, range])).toEqual([
      ["n", "*"],
      ["n", "1"],
    ]);
  });

  it("are read of a short source before the caller is known", async () => {
    await expect(wantedComponents(stranger, {}, source)).resolves.toHaveLength(1);
  });

  it("are read of a long source only once the caller is known", async () => {
    await expect(wantedComponents(stranger, {}, long)).rejects.toThrow("not known");
    await expect(wantedComponents(member, {}, long)).resolves.toHaveLength(1);
  });

  it("are not looked for in a long source without the word", async () => {
    const plain = long.replace("component:", "type:");
    await expect(wantedComponents(stranger, {}, plain)).resolves.toEqual([]);
  });
});
