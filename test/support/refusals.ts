/** The refusals that all endpoints on a tenant's object share. */
import { expect } from "vitest";
import { problemOf } from "./answers.ts";
import { type Answer, clientOf, makeTenant, stranger, type Client } from "./api.ts";

export interface Guarded {
  send: (client: Client, id: string) => Promise<Answer>;
  /** The id of an existing object. */
  id: string;
  /** The scope that a key needs. */
  scope: string;
}

/** Checks the answers without a key, with a wrong key, without the scope, and with another tenant's key. */
export async function expectRefusals({ send, id, scope }: Guarded): Promise<void> {
  expect((await send(stranger, id)).status).toBe(401);
  expect((await send(clientOf("cpk_nonsense"), id)).status).toBe(401);
  const unscoped = await makeTenant(["license:read"]);
  const refused = await send(unscoped, id);
  expect(refused.status).toBe(403);
  expect(refused.body.detail).toContain(scope);
  const other = await makeTenant([scope]);
  const foreign = await send(other, id);
  expect(foreign.status, foreign.text).toBe(404);
  const missing = await send(other, crypto.randomUUID());
  expect(problemOf(foreign)).toEqual(problemOf(missing));
  for (const name of ["__proto__", "constructor", "x".repeat(200)])
    expect((await send(other, name)).status).toBe(404);
}
