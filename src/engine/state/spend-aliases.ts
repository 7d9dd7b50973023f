import type { Template } from "#engine/template/template.ts";
import type { StoredResource } from "./state.ts";

const MAX_SPENT = 10;

/** The resources of the template that list a name as an alias, by that name. */
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
 * Notes the resources that list this resource's name as an alias. From now on their aliases mean an earlier object of
 * this name, so the next deployment does not swap swapped names again. Returns the same resource when no alias is new.
 */
export function spendAliases(resource: StoredResource, users: AliasUsers): StoredResource {
  const spent = resource.spentAliases ?? [];
  const now = users.get(resource.name) ?? [];
  if (now.every((name) => spent.includes(name))) return resource;
  const all = [...spent.filter((name) => !now.includes(name)), ...now];
  return { ...resource, spentAliases: all.slice(-Math.max(MAX_SPENT, now.length)) };
}
