import { listApiKeysEndpoint } from "#areas/api-keys/contract.ts";
import { listMembersEndpoint } from "#areas/tenants/contract.ts";
import type { PageApi } from "#console/page-api.ts";

/** The names of people and keys by the actors of the audit log: `member:<id>`, `key:<id>`. */
export type ActorNames = ReadonlyMap<string, string>;

/** Of the tenant's members and keys, the first hundred of each. */
export async function readActorNames(
  api: PageApi,
  tenantId: string | undefined,
): Promise<ActorNames> {
  if (tenantId === undefined) return new Map();
  const [members, keys] = await Promise.all([
    api.readIfAny(listMembersEndpoint, { tenantId }, { limit: "100" }),
    api.readIfAny(listApiKeysEndpoint, {}, { tenantId, limit: "100" }),
  ]);
  return new Map([
    ...(members?.data ?? []).map(
      ({ userId, name, email }) => [`member:${userId}`, name ?? email] as const,
    ),
    ...(keys?.data ?? []).map(({ id, name }) => [`key:${id}`, `the key ${name}`] as const),
  ]);
}

/** The actor that a person means: an actor of the log itself, or a part of a name. */
export async function actorMeant(
  text: string | undefined,
  names: Promise<ActorNames>,
): Promise<string | undefined> {
  if (text === undefined || text === "" || text.includes(":")) return text;
  const part = text.toLowerCase();
  const found = [...(await names)].find(([, name]) => name.toLowerCase().includes(part));
  return found?.[0] ?? text;
}

/** Who acted, in words. */
export function actorWords(actor: string, names: ActorNames): string {
  const name = names.get(actor);
  if (name !== undefined) return name;
  const [kind = "", id = ""] = actor.split(":");
  switch (kind) {
    case "member":
      return "a person who left";
    case "key":
      return "an API key";
    case "operator":
      return "an operator";
    default:
      return `the service (${id.replaceAll("_", " ")})`;
  }
}
