import { sql } from "drizzle-orm";
import { describe, expect, it, vi } from "vitest";
import type { Actor } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Bindings } from "#kernel/bindings.ts";
import type { Db, Statement } from "#platform/db/client.ts";
import { Call } from "./call.ts";
import type { Write } from "./unit-of-work.ts";

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
    db: { $client: { prepare }, run: prepare } as unknown as Db,
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

  it("reaches the database if the role is sufficient", async () => {
    await expect(change(callOf("CustomerDeveloper"), there)).rejects.toThrow("database was asked");
  });
});

describe("a row that is written", () => {
  const statement = { _prepare: prepare } as unknown as Statement;
  const write = (call: Call, tenantId: string | null) =>
    call.commitUnaudited(undefined, [call.write(tenantId, statement)]);

  it.each([here, elsewhere, "platform"])("is refused in %s, audited or not", async (tenantId) => {
    await expect(write(callOf("CustomerDeveloper"), tenantId)).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  it.each([there, null])("reaches the database in %s", async (tenantId) => {
    await expect(write(callOf("CustomerDeveloper"), tenantId)).rejects.toThrow(
      "database was asked",
    );
  });

  it("reaches the database if the service writes it for another tenant", async () => {
    const call = callOf("CustomerDeveloper");
    const counted = call.writeAsService(elsewhere, statement);
    await expect(call.commitUnaudited(undefined, [counted])).rejects.toThrow("database was asked");
  });
});

describe("a change without an audit entry", () => {
  const guard = { write: "guard", code: "conflict", holds: sql`1` } as const;

  it("does not type-check", async () => {
    const call = callOf("CustomerDeveloper");
    // @ts-expect-error -- a commit needs an audit entry among its writes
    await expect(call.commit(undefined, [guard])).rejects.toThrow("needs an audit entry");
  });

  it("is refused if the type cannot see the writes", async () => {
    const writes: Write[] = [guard];
    const change = callOf("CustomerDeveloper").commit(undefined, writes);
    await expect(change).rejects.toThrow("needs an audit entry");
  });
});
