import { describe, expect, it } from "vitest";
import type { Actor } from "#kernel/access/access.ts";
import { one, oneIf } from "./one.ts";

interface Row {
  id: string;
  tenantId: string;
}
const statement = {} as Parameters<typeof one<Row>>[0];
const member: Actor = {
  kind: "member",
  name: "u",
  session: { id: "s", userId: "u" },
  scopes: ["*"],
  memberships: [
    { tenantId: "viewed", role: "CustomerViewer" },
    { tenantId: "owned", role: "CustomerOwner" },
  ],
};
const developer = { actor: member, role: "CustomerDeveloper" } as const;
const rowOf = (tenantId: string): Row[] => [{ id: "x", tenantId }];

describe("one row", () => {
  const thing = one(statement, "thing");

  it("is the row if the caller's role is sufficient", () => {
    expect(thing.decode(rowOf("owned"), developer)).toEqual({ id: "x", tenantId: "owned" });
  });

  it("is forbidden if it is in a tenant of the caller, whose role is too low", () => {
    expect(() => thing.decode(rowOf("viewed"), developer)).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it.each([[[]], [rowOf("foreign")]])("does not exist when the statement finds %j", (rows) => {
    expect(() => thing.decode(rows, developer)).toThrow(
      expect.objectContaining({ code: "not_found", message: "There is no such thing." }),
    );
  });

  it("is everyone's if it belongs to the platform", () => {
    expect(thing.decode(rowOf("platform"), developer).tenantId).toBe("platform");
  });

  it("is decided by the use case if the statement also finds other tenants' rows", () => {
    const shared = one(statement, "thing", { shared: true });
    expect(shared.decode(rowOf("foreign"), developer).tenantId).toBe("foreign");
    expect(() => shared.decode(rowOf("viewed"), developer)).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it("requires no role if everyone who sees the row may use it", () => {
    const open = one(statement, "thing", { anyRole: true });
    expect(open.decode(rowOf("viewed"), developer).tenantId).toBe("viewed");
  });

  it("requires no role if the endpoint requires none", () => {
    const anyRole = { actor: member, role: undefined };
    expect(thing.decode(rowOf("viewed"), anyRole).tenantId).toBe("viewed");
  });

  it("requires authentication if the endpoint requires a role", () => {
    expect(() => thing.decode(rowOf("owned"), { ...developer, actor: undefined })).toThrow(
      expect.objectContaining({ code: "unauthenticated" }),
    );
  });

  it("is read only if the request names it", () => {
    expect(oneIf(false, thing).decode([], developer)).toBeUndefined();
    expect(() => oneIf(true, thing).decode([], developer)).toThrow("There is no such thing.");
  });
});
