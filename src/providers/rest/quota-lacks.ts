import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { AccountNeeds, Lack } from "#providers/provider.ts";

/** A quota, as a cloud shows it. */
export interface Quota {
  name: string;
  /** Negative: unlimited. */
  limit: number;
  used: number;
}

/** Objects of a template that quotas count. */
export interface CountedObjects {
  type: string;
  count: number;
  /** The names of the quotas. An account may lack some of them. */
  quotas: readonly string[];
}

/** The objects that quotas count. `quotas`: their names by type, of which letter case does not matter. */
export function countedObjects(
  quotas: Readonly<Record<string, readonly string[]>>,
  types: ReadonlyMap<string, number>,
): CountedObjects[] {
  const byType = new Map(
    Object.entries(quotas).map(([type, names]) => [type.toLowerCase(), names]),
  );
  return [...types].flatMap(([type, count]) => {
    const names = byType.get(type.toLowerCase());
    return names === undefined || count === 0 ? [] : [{ type, count, quotas: names }];
  });
}

/**
 * The quotas that these objects exceed. `fix`: what to do about a quota that has to be so high. A quota that the cloud
 * does not show is not looked at.
 */
export function quotaLacks(
  objects: readonly CountedObjects[],
  {
    shown,
    place,
    fix,
  }: {
    shown: readonly Quota[];
    place: string;
    fix: (quota: Quota, limit: number) => string;
  },
): Lack[] {
  return shown.flatMap((quota) => {
    const { name, limit, used } = quota;
    const counted = objects.filter(({ quotas }) => quotas.includes(name));
    const needed = counted.reduce((sum, { count }) => sum + count, 0);
    if (needed === 0 || limit < 0 || used + needed <= limit) return [];
    return {
      what: `The template takes at least ${needed} of the quota ${name} in ${place}, of which ${used} of ${limit} are used.`,
      fix: fix(quota, used + needed),
      types: counted.map(({ type }) => type),
    };
  });
}

/** The quotas in a list of an answer; undefined: it has no such list. */
export function quotasIn(
  json: Json | undefined,
  list: string,
  read: (one: JsonMap) => Readonly<Record<keyof Quota, Json | undefined>>,
): Quota[] | undefined {
  const items = isJsonMap(json) ? json[list] : undefined;
  if (!Array.isArray(items)) return undefined;
  return items.filter(isJsonMap).flatMap((item) => {
    const { name, limit, used } = read(item);
    return typeof name === "string" && typeof limit === "number" && typeof used === "number"
      ? [{ name, limit, used }]
      : [];
  });
}

/** Of several looks. */
export function joined(looks: readonly AccountNeeds[]): AccountNeeds {
  return {
    lacks: looks.flatMap(({ lacks }) => lacks),
    unread: looks.flatMap(({ unread }) => unread),
  };
}
