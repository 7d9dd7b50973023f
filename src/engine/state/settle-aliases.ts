import type { Template } from "#engine/template/template.ts";
import type { StoredResource } from "./state.ts";

const MAX_SETTLED = 10;

/** By name, the resources of the template that list it as an alias. */
export type AliasUsers = ReadonlyMap<string, readonly string[]>;

export function aliasUsers(template: Template | undefined): AliasUsers {
  const users = new Map<string, string[]>();
  for (const [name, { options }] of Object.entries(template?.resources ?? {}))
    for (const alias of new Set(options.aliases)) {
      if (alias === name) continue;
      const others = users.get(alias);
      if (others === undefined) users.set(alias, [name]);
      else others.push(name);
    }
  return users;
}

/**
 * The resource with the aliases of the template that are its name. From now on they mean an earlier object of this
 * name: names that were swapped are not swapped again by the next deployment. Returns the same resource when it has
 * them all.
 */
export function settleAliases(resource: StoredResource, users: AliasUsers): StoredResource {
  const settled = resource.settledAliases ?? [];
  const now = users.get(resource.name) ?? [];
  if (now.every((name) => settled.includes(name))) return resource;
  const all = [...settled.filter((name) => !now.includes(name)), ...now];
  return { ...resource, settledAliases: all.slice(-Math.max(MAX_SETTLED, now.length)) };
}
