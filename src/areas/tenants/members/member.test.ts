import { describe, expect, it } from "vitest";
import type { Actor } from "#kernel/access/access.ts";
import { tenantRoles, type TenantRole } from "#schema/lists/roles.ts";
import { requireAuthority } from "./member.ts";

const keyOf = (role: TenantRole): Actor => ({
  kind: "key",
  name: "k",
  tenantId: "t",
  scopes: ["*"],
  role,
});
const mayTouch = (actor: Actor) =>
  tenantRoles.filter((role) => {
    try {
      requireAuthority(actor, "t", role);
      return true;
    } catch {
      return false;
    }
  });

describe("requireAuthority", () => {
  it.each<[TenantRole, TenantRole[]]>([
    ["CustomerViewer", []],
    ["CustomerDeveloper", []],
    ["CustomerAdmin", ["CustomerViewer", "CustomerDeveloper"]],
    ["CustomerOwner", [...tenantRoles]],
  ])("lets a %s change %j", (role, touched) => {
    expect(mayTouch(keyOf(role))).toEqual(touched);
  });

  it("lets an operator change every role", () => {
    expect(mayTouch({ kind: "operator", name: "o", scopes: ["*"] })).toEqual([...tenantRoles]);
  });

  it("lets a key without every scope change developers and viewers only, whoever created it", () => {
    const scopes = ["members:write", "tenants:write"];
    for (const actor of [
      { ...keyOf("CustomerOwner"), scopes },
      { kind: "operator", name: "o", scopes } as const,
    ]) {
      expect(mayTouch(actor)).toEqual(["CustomerViewer", "CustomerDeveloper"]);
      expect(() => {
        requireAuthority(actor, "t", "CustomerOwner");
      }).toThrow("The API key lacks the scope *");
    }
  });

  it("checks every given role", () => {
    const admin = keyOf("CustomerAdmin");
    expect(() => requireAuthority(admin, "t", "CustomerViewer", "CustomerOwner")).toThrow(
      "Only an owner can grant, change or remove the role CustomerOwner.",
    );
  });
});
