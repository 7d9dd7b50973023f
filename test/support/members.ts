/** Members, and keys that act for them. */
import { env } from "cloudflare:workers";
import type { TenantRole } from "#schema/lists/roles.ts";
import { type Client, clientOf, operator } from "./api.ts";
import { makeMembership, makeUser } from "./sessions.ts";

export interface TestMember extends Client {
  userId: string;
  email: string;
  keyId: string;
  key: string;
}

/** A member with this role who has proved their address, and a client with a key that the member created. */
export async function makeMember(
  tenantId: string,
  role: TenantRole,
  scopes: readonly string[] = ["*"],
): Promise<TestMember> {
  const email = `m-${crypto.randomUUID().slice(0, 13)}@example.com`;
  const userId = await makeUser(undefined, email);
  await makeMembership(userId, tenantId, role);
  return { userId, email, ...(await makeKeyOf(tenantId, userId, scopes)) };
}

/** A key created by a user. Only signed-in users create keys, so the creator is written to the row. */
export async function makeKeyOf(
  tenantId: string,
  userId: string,
  scopes: readonly string[] = ["*"],
): Promise<Client & { keyId: string; key: string }> {
  const made = await operator.post("/api-keys", { name: "member's", scopes, tenantId });
  if (made.status !== 201) throw new Error(`No key: ${made.text}`);
  await env.DB.prepare("UPDATE api_keys SET creator_user_id = ?1, person = ?1 WHERE id = ?2")
    .bind(userId, made.body.id)
    .run();
  return { keyId: made.body.id, key: made.body.key, ...clientOf(made.body.key) };
}
