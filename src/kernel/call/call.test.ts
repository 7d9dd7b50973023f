import { describe, expect, it, vi } from "vitest";
import type { Actor } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Db } from "#platform/db/client.ts";
import { Call } from "./call.ts";

const [here, there, elsewhere] = ["tenant-here", "tenant-there", "tenant-elsewhere"];
const member: Actor = {
  kind: "member",
  name: "u",
  session: { id: "s", userId: "u" },
  scopes: ["*"],
  memberships: [
    { tenantId: here, role: "CustomerViewer" },
    { tenantId: there, role: "CustomerAdmin" },
  ],
};
const prepare = vi.fn<() => never>(() => {
  throw new Error("The database was asked");
});
const callOf = (role: "CustomerViewer" | "CustomerDeveloper") =>
  new Call({
    env: {} as Bindings,
    db: { $client: { prepare }, insert: prepare } as unknown as Db,
    now: 0,
    newId: () => "id",
    requestId: "r",
    caller: member,
    access: { role, scope: "targets:write" },
    after: () => {},
  });
const change = (call: Call, tenantId: string) =>
  call.commit(undefined, [audit("x.change", { tenantId, type: "x", id: "x" }, {})]);

describe("a commit of a member", () => {
  it.each([here, elsewhere, "platform"])(
    "is refused for %s, whatever was read",
    async (tenantId) => {
      await expect(change(callOf("CustomerDeveloper"), tenantId)).rejects.toMatchObject({
        code: "forbidden",
      });
    },
  );

  it("reaches the database where the role is enough", async () => {
    await expect(change(callOf("CustomerDeveloper"), there)).rejects.toThrow("database was asked");
  });
});

describe("a probe", () => {
  it("is there only where something is hidden", () => {
    expect(callOf("CustomerViewer").probe()).toBeUndefined();
    expect(callOf("CustomerDeveloper").probe()?.needed).toBe("CustomerDeveloper");
  });

  it("changes nothing", async () => {
    const probe = callOf("CustomerDeveloper").probe()?.call;
    if (probe === undefined) throw new Error("There is no probe");
    expect(probe.probe()).toBeUndefined();
    await expect(change(probe, there)).rejects.not.toThrow("database was asked");
  });

  it("gives nothing to act with once it has read", async () => {
    const probe = callOf("CustomerDeveloper").probe()?.call;
    if (probe === undefined) throw new Error("There is no probe");
    expect(probe.env).toEqual({});
    await probe.read();
    expect(() => probe.env).toThrow("The probe");
  });
});
