import { describe, expect, it } from "vitest";
import { tenantRoles } from "#schema/lists/roles.ts";
import {
  type Access,
  type Actor,
  authorize,
  requireOperator,
  requireRole,
  hasScope,
  isOf,
  type Membership,
  owningTenant,
  personOf,
  roleOf,
  soleTenant,
} from "./access.ts";

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

describe("authorize", () => {
  const access = (role: (typeof tenantRoles)[number] | "operator"): Access => ({
    role,
    scope: "targets:write",
  });

  it.each(tenantRoles)(
    "allows a request that needs %s to that role and every stronger one",
    (needed) => {
      const allowed = tenantRoles.filter(
        (role) => codeOf(() => authorize(key(role, "*"), access(needed))) === "allowed",
      );
      expect(allowed).toEqual(tenantRoles.slice(tenantRoles.indexOf(needed)));
    },
  );

  it("requires the scope as well as the role", () => {
    expect(
      codeOf(() => authorize(key("CustomerOwner", "targets:read"), access("CustomerViewer"))),
    ).toBe("forbidden");
    expect(codeOf(() => authorize({ ...operator, scopes: [] }, access("operator")))).toBe(
      "forbidden",
    );
  });

  it("refuses tenants an endpoint that is reserved for operators", () => {
    expect(codeOf(() => authorize(key("CustomerOwner", "*"), access("operator")))).toBe(
      "forbidden",
    );
    expect(codeOf(() => authorize(operator, access("operator")))).toBe("allowed");
    expect(codeOf(() => authorize({ kind: "system", name: "sweep" }, access("operator")))).toBe(
      "allowed",
    );
  });

  it("requires nothing of a public endpoint", () => {
    expect(codeOf(() => authorize(key("CustomerViewer"), "public"))).toBe("allowed");
  });
});

describe("owningTenant", () => {
  it("is the caller's own tenant, and for an operator the platform or the tenant it names", () => {
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
    "is never another tenant: %j is not found",
    (other) => {
      expect(codeOf(() => owningTenant(key("CustomerOwner", "*"), other))).toBe("not_found");
    },
  );
});

describe("a member", () => {
  const session = { id: "s", userId: "u" };
  const member = (...memberships: Membership[]): Actor => ({
    kind: "member",
    name: "u",
    session,
    scopes: ["*"],
    memberships,
  });
  const [viewer, admin]: [Membership, Membership] = [
    { tenantId, role: "CustomerViewer" },
    { tenantId: otherId, role: "CustomerAdmin" },
  ];
  const access = (role: (typeof tenantRoles)[number]): Access => ({
    role,
    scope: "targets:write",
  });

  it("may use an endpoint that one of their roles allows", () => {
    const both = member(viewer, admin);
    expect(codeOf(() => authorize(both, access("CustomerAdmin")))).toBe("allowed");
    expect(codeOf(() => authorize(both, access("CustomerOwner")))).toBe("forbidden");
    expect(codeOf(() => authorize(member(viewer), access("CustomerDeveloper")))).toBe("forbidden");
    expect(codeOf(() => authorize(member(), access("CustomerViewer")))).toBe("forbidden");
  });

  it("may not use an operator's endpoint, unless it is open to signed-in users", () => {
    const rule = { role: "operator", scope: "tenants:write" } as const;
    expect(codeOf(() => authorize(member(admin), rule))).toBe("forbidden");
    expect(codeOf(() => authorize(member(), { ...rule, orSignedIn: true }))).toBe("allowed");
    expect(codeOf(() => authorize(key("CustomerOwner", "*"), { ...rule, orSignedIn: true }))).toBe(
      "forbidden",
    );
    expect(codeOf(() => requireOperator(member(admin)))).toBe("forbidden");
    expect(codeOf(() => requireOperator(operator))).toBe("allowed");
  });

  it("may use an endpoint about oneself in every role, which a key may not", () => {
    const rule = { role: "CustomerAdmin", scope: "members:write", orSelf: true } as const;
    expect(codeOf(() => authorize(member(viewer), rule))).toBe("allowed");
    expect(codeOf(() => authorize(member(), rule))).toBe("forbidden");
    expect(codeOf(() => authorize(key("CustomerDeveloper", "*"), rule))).toBe("forbidden");
  });

  it("satisfies an endpoint that requires a session", () => {
    const rule = { role: "session" } as const;
    expect(codeOf(() => authorize(member(), rule))).toBe("allowed");
    expect(codeOf(() => authorize({ ...operator, session }, rule))).toBe("allowed");
    expect(codeOf(() => authorize(operator, rule))).toBe("forbidden");
    expect(codeOf(() => authorize(key("CustomerOwner", "*"), rule))).toBe("forbidden");
  });

  it("has a separate role in each tenant, and none elsewhere", () => {
    const both = member(viewer, admin);
    expect([tenantId, otherId, "platform"].map((id) => roleOf(both, id))).toEqual([
      "CustomerViewer",
      "CustomerAdmin",
      undefined,
    ]);
    expect([tenantId, "platform"].map((id) => isOf(both, id))).toEqual([true, false]);
    expect(codeOf(() => requireRole(both, "CustomerAdmin", otherId))).toBe("allowed");
    expect(codeOf(() => requireRole(both, "CustomerAdmin", tenantId))).toBe("forbidden");
    expect(codeOf(() => requireRole(both, "CustomerViewer", "platform"))).toBe("forbidden");
  });

  it("must name a tenant if they have several", () => {
    expect(owningTenant(member(admin), undefined)).toBe(otherId);
    expect(codeOf(() => owningTenant(member(viewer, admin), undefined))).toBe("validation_failed");
    expect(owningTenant(member(viewer, admin), tenantId)).toBe(tenantId);
    expect(codeOf(() => owningTenant(member(admin), tenantId))).toBe("not_found");
    expect(codeOf(() => owningTenant(member(admin), "platform"))).toBe("not_found");
    expect([member(), member(viewer, admin)].map(soleTenant)).toEqual([undefined, undefined]);
  });

  it("is the same person as the creator of their key", () => {
    const people = [
      member(),
      { ...operator, session },
      { ...operator, person: "u" },
      { ...key("CustomerOwner"), person: "u" },
    ];
    expect(people.map((actor) => personOf(actor))).toEqual(["u", "u", "u", "u"]);
    expect([operator, key("CustomerOwner")].map(personOf)).toEqual([undefined, undefined]);
  });
});
