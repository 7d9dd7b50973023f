import { describe, expect, it } from "vitest";
import type { Bindings } from "#kernel/bindings.ts";
import { makeKey } from "./api-key.ts";
import { authenticate } from "./authenticate.ts";

const keyId = "01890a5d-ac96-774b-bcce-b302099a8057";
const known = (authorization: string | undefined, bootstrap?: string) =>
  authenticate(
    {
      authorization,
      cookie: undefined,
      url: "https://control.example.com/api/v1/health",
      address: "192.0.2.1",
      mayUseCache: false,
    },
    {
      env: { BOOTSTRAP_API_KEY: bootstrap } as Bindings,
      now: 0,
      afterUse: () => {
        throw new Error("Nothing is proved here, so nothing is noted");
      },
    },
  );

describe("authenticate", () => {
  it("treats a caller without a key as anonymous, limited by address", async () => {
    expect(await known(undefined)).toEqual({
      caller: undefined,
      principal: "address:192.0.2.1",
      limitKey: "address:192.0.2.1",
    });
  });

  it("limits an unverified key by its address, not by the key that it claims to be", async () => {
    const [one, other] = await Promise.all(
      [1, 2].map(() => known(`Bearer ${makeKey(keyId, false)}`)),
    );
    expect(one?.principal).toBe(`key:${keyId}`);
    expect(other?.principal).toBe(one?.principal);
    expect([one?.limitKey, other?.limitKey]).toEqual(["address:192.0.2.1", "address:192.0.2.1"]);
  });

  it("does not verify a key by itself", async () => {
    const { caller } = await known(`bearer ${makeKey(keyId, true)}`);
    expect(caller).toMatchObject({ keyId, operator: true });
    expect(caller).not.toHaveProperty("kind");
  });

  it("accepts the bootstrap key, but never an empty one", async () => {
    expect((await known("Bearer first-key", "first-key")).caller).toMatchObject({
      kind: "operator",
    });
    for (const secret of ["", undefined, "first-key-2", "first-ke"])
      await expect(known("Bearer first-key", secret)).rejects.toMatchObject({
        code: "unauthenticated",
      });
  });

  it.each([
    "",
    "Bearer",
    "Bearer ",
    "Bearer  x",
    "Basic dXNlcjpwYXNz",
    `Bearer ${"x".repeat(201)}`,
    "Bearer x y",
    "Bearer é",
    `Bearer ${makeKey(keyId, false)}, Bearer ${makeKey(keyId, false)}`,
  ])("refuses %j", async (authorization) => {
    await expect(known(authorization)).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
