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

describe("the id of an existing object", () => {
  it("is the source's id, its last part, or made of the state's attributes", () => {
    expect(idOf("whole")).toBe("arn:aws:x/y");
    expect(idOf("last")).toBe("y");
    expect(idOf("{cluster_id}/{name}", { cluster_id: "c", name: "n" })).toBe("c/n");
    expect(idOf("{public_ip}|{id}", { public_ip: "192.0.2.1" })).toBe("192.0.2.1|arn:aws:x/y");
  });

  it("is unknown where the state lacks an attribute for it", () => {
    expect(idOf("none")).toBeUndefined();
    expect(idOf("{cluster_id}/{name}", { cluster_id: "c" })).toBeUndefined();
  });

  // The forms of ids in Terraform's states, as its providers document them.
  it.each([
    [
      "google_sql_database_instance",
      { id: "shop", name: "shop", project: "p-1" },
      "projects/p-1/instances/shop",
    ],
    [
      "google_sql_user",
      { id: "app//shop", name: "app", instance: "shop", project: "p-1" },
      "projects/p-1/instances/shop/users/app",
    ],
    [
      "google_project_iam_member",
      {
        id: "p-1/roles/viewer/user:a@b",
        project: "p-1",
        role: "roles/viewer",
        member: "user:a@b",
      },
      "projects/p-1 roles/viewer user:a@b",
    ],
    [
      "google_service_account_iam_member",
      {
        id: "x",
        service_account_id: "projects/p-1/serviceAccounts/s@p",
        role: "roles/r",
        member: "user:a@b",
      },
      "projects/p-1/serviceAccounts/s@p roles/r user:a@b",
    ],
    ["vultr_firewall_rule", { id: "3", firewall_group_id: "g" }, "g/3"],
    ["vultr_database_db", { id: "app", name: "app", database_id: "d" }, "d/app"],
    ["vultr_database_user", { id: "app", database_id: "d" }, "d/app"],
    ["oci_objectstorage_bucket", { id: "n/ns/b/files", name: "files" }, "files"],
    [
      "azurerm_storage_container",
      { id: "https://s.blob.core.windows.net/c", resource_manager_id: "/subscriptions/1/c" },
      "/subscriptions/1/c",
    ],
    [
      "azurerm_key_vault_secret",
      {
        id: "https://v.vault.azure.net/secrets/s/1",
        resource_versionless_id: "/subscriptions/1/v/secrets/s",
      },
      "/subscriptions/1/v/secrets/s",
    ],
  ])("of a %s is the id in its cloud", async (type, { id, ...names }, ours) => {
    const tables = await loadMappings(providersWithTables, builtAssets, new Map());
    const own = tables.get(type.split("_")[0] ?? "")?.types[type];
    const kept = Object.entries(names).filter(([name]) =>
      new Set<string>(identityAttributes).has(name),
    );
    const rule = (own?.id ?? "whole") as MappedType["id"];
    expect(importIdOf({ id, names: new Map(kept) }, { id: rule } as MappedType)).toBe(ours);
  });

  it("is made of attributes that an import keeps from a state", async () => {
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
