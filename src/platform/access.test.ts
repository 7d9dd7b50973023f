import { describe, expect, it } from "vitest";
import { type Access, type Actor, demand, hasScope, owningTenant, tenantRoles } from "./access.ts";

const [tenantId, otherId] = [
  "01890000-0000-7000-8000-000000000001",
  "01890000-0000-7000-8000-000000000002",
];
const key = (role: (typeof tenantRoles)[number], ...scopes: string[]): Actor => ({
  kind: "key",
  name: "k",
  tenantId,
  scopes,
  role,
});
const operator: Actor = { kind: "operator", name: "o", scopes: ["*"] };
const codeOf = (run: () => unknown) => {
  try {
    run();
    return "allowed";
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe("hasScope", () => {
  it.each<[string[], string, boolean]>([
    [["*"], "webhooks:write", true],
    [["webhooks:write"], "webhooks:write", true],
    [["webhooks:write"], "webhooks:read", true],
    [["webhooks:read"], "webhooks:read", true],
    [["webhooks:read"], "webhooks:write", false],
    [["templates:write"], "webhooks:read", false],
    [["deployments:write"], "deployments:approve", false],
    [["deployments:approve"], "deployments:read", false],
    [["listings:write"], "listings:review", false],
    [["webhooks:*"], "webhooks:read", false],
    [[], "status:read", false],
  ])("%j has %s: %s", (has, needed, expected) => {
    expect(hasScope(has, needed)).toBe(expected);
  });
});

describe("demand", () => {
  const access = (role: Exclude<Access, "public">["role"]): Access => ({
    role,
    scope: "targets:write",
  });

  it.each(tenantRoles)("lets a role do what %s may, and whatever a weaker one may", (needed) => {
    const allowed = tenantRoles.filter(
      (role) => codeOf(() => demand(key(role, "*"), access(needed))) === "allowed",
    );
    expect(allowed).toEqual(tenantRoles.slice(tenantRoles.indexOf(needed)));
  });

  it("asks for the scope as well as the role", () => {
    expect(
      codeOf(() => demand(key("CustomerOwner", "targets:read"), access("CustomerViewer"))),
    ).toBe("forbidden");
    expect(codeOf(() => demand({ ...operator, scopes: [] }, access("operator")))).toBe("forbidden");
  });

  it("keeps tenants from what is the operator's", () => {
    expect(codeOf(() => demand(key("CustomerOwner", "*"), access("operator")))).toBe("forbidden");
    expect(codeOf(() => demand(operator, access("operator")))).toBe("allowed");
    expect(codeOf(() => demand({ kind: "system", name: "sweep" }, access("operator")))).toBe(
      "allowed",
    );
  });

  it("asks nothing where everyone may", () => {
    expect(codeOf(() => demand(key("CustomerViewer"), "public"))).toBe("allowed");
  });
});

describe("owningTenant", () => {
  it("is the caller's own, and for an operator the platform or whom it names", () => {
    const mine = key("CustomerOwner", "*");
    expect([owningTenant(mine, undefined), owningTenant(mine, tenantId)]).toEqual([
      tenantId,
      tenantId,
    ]);
    expect([owningTenant(operator, undefined), owningTenant(operator, otherId)]).toEqual([
      "platform",
      otherId,
    ]);
  });

  it.each([otherId, "platform", "", "00000000-0000-0000-0000-000000000000"])(
    "is for a tenant no other: %j does not exist",
    (other) => {
      expect(codeOf(() => owningTenant(key("CustomerOwner", "*"), other))).toBe("not_found");
    },
  );
});
