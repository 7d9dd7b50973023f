import { describe, expect, it } from "vitest";
import { loadMappings } from "#importers/mappings/load-mappings.ts";
import { identityAttributes } from "#importers/reports/existing-ids.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { importIdOf } from "./existing-objects.ts";
import { type MappedType, providersWithTables } from "./types/mapped-type.ts";

function idOf(rule: MappedType["id"], names: Readonly<Record<string, string>> = {}) {
  const object = { id: "arn:aws:x/y", names: new Map(Object.entries(names)) };
  return importIdOf(object, { id: rule } as MappedType);
}

describe("the id of an object that exists", () => {
  it("is that of the source, its last part, or made of what the state tells", () => {
    expect(idOf("whole")).toBe("arn:aws:x/y");
    expect(idOf("last")).toBe("y");
    expect(idOf("{cluster_id}/{name}", { cluster_id: "c", name: "n" })).toBe("c/n");
    expect(idOf("{public_ip}|{id}", { public_ip: "192.0.2.1" })).toBe("192.0.2.1|arn:aws:x/y");
  });

  it("is unknown where the state does not tell what it is made of", () => {
    expect(idOf("none")).toBeUndefined();
    expect(idOf("{cluster_id}/{name}", { cluster_id: "c" })).toBeUndefined();
  });

  it("is made of attributes that an import keeps of a state", async () => {
    const tables = await loadMappings(providersWithTables, builtAssets, new Map());
    expect(tables.size).toBeGreaterThan(0);
    const kept = new Set<string>(["id", ...identityAttributes]);
    const used = new Set<string>();
    for (const { types, variants = {} } of tables.values())
      for (const { id = "" } of [
        ...Object.values(types),
        ...Object.values(variants).flatMap(({ of }) => Object.values(of)),
      ])
        for (const [, name = ""] of id.matchAll(/\{([^}]*)\}/g)) used.add(name);
    expect([...used].filter((name) => !kept.has(name))).toEqual([]);
    expect([...kept].filter((name) => !used.has(name))).toEqual([]);
  });
});
