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

  it("is the row where the caller's role is enough", () => {
    expect(thing.decode(rowOf("owned"), developer)).toEqual({ id: "x", tenantId: "owned" });
  });

  it("is forbidden where it is the caller's and their role is too low", () => {
    expect(() => thing.decode(rowOf("viewed"), developer)).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it.each([[[]], [rowOf("foreign")]])("does not exist when the statement finds %j", (rows) => {
    expect(() => thing.decode(rows, developer)).toThrow(
      expect.objectContaining({ code: "not_found", message: "There is no such thing." }),
    );
  });

  it("is everyone's where the platform offers it", () => {
    expect(thing.decode(rowOf("platform"), developer).tenantId).toBe("platform");
  });

  it("is decided by the use case where the statement shows other tenants' rows too", () => {
    const shared = one(statement, "thing", { shared: true });
    expect(shared.decode(rowOf("foreign"), developer).tenantId).toBe("foreign");
    expect(() => shared.decode(rowOf("viewed"), developer)).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it("asks for no role where everyone who sees it may use it", () => {
    const open = one(statement, "thing", { anyRole: true });
    expect(open.decode(rowOf("viewed"), developer).tenantId).toBe("viewed");
  });

  it("asks for no role where the endpoint asks for none", () => {
    const anyRole = { actor: member, role: undefined };
    expect(thing.decode(rowOf("viewed"), anyRole).tenantId).toBe("viewed");
  });

  it("is nobody's where the endpoint asks for a role", () => {
    expect(() => thing.decode(rowOf("owned"), { ...developer, actor: undefined })).toThrow(
      expect.objectContaining({ code: "unauthenticated" }),
    );
  });

  it("is looked for only if it is named", () => {
    expect(oneIf(false, thing).decode([], developer)).toBeUndefined();
    expect(() => oneIf(true, thing).decode([], developer)).toThrow("There is no such thing.");
  });
});
