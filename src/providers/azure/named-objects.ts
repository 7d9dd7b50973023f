/**
 * What the properties of an object name, for targets that tenants share: an id anywhere in them, as a value or as the key
 * of a map, puts the object into another, or lets it use or change that.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { NamedObject, ProviderContext, ResourceCall } from "#providers/provider.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { armId, subscriptionIn } from "./place.ts";

const RESOURCE_GROUP = "Microsoft.Resources/resourceGroups";
const ROLE_ASSIGNMENT = "Microsoft.Authorization/roleAssignments";
/** Of Azure itself or of the subscription: they change nothing of whoever is named beside them. */
const definitions = /^microsoft\.authorization\/(?:role|policy|policyset)definitions$/i;
/** An id in whatever form a resource provider may still understand. */
const likeId = /subscriptions(?:\/|%2f)+[0-9a-f-]{30,}|managementgroups(?:\/|%2f)/i;

/** The object with this id and all that it is in, up to its resource group. */
function ownersOf(id: string): NamedObject["owners"] {
  const owners: { type: string; id: string }[] = [];
  const segments = id.split("/");
  for (let end = segments.length; end > 3; end -= 2) {
    const one = armId(segments.slice(0, end).join("/"));
    if (one !== undefined) owners.push({ type: `azure:${one.type}`, id: one.id });
  }
  return owners;
}

/** The objects that these properties name, each once. */
export function namedObjects(
  { type, properties }: Pick<ResourceCall, "type" | "properties">,
  { config }: Pick<ProviderContext, "config">,
): NamedObject[] {
  const named = new Map<string, NamedObject>();
  const look = (text: string, path: string): void => {
    const parsed = armId(text);
    if (parsed !== undefined && definitions.test(parsed.type)) return;
    if (parsed !== undefined)
      named.set(parsed.id, { what: parsed.id, owners: ownersOf(parsed.id) });
    // What holds an id may be a secret.
    else if (likeId.test(text)) named.set(path, { what: `what ${path} names`, owners: [] });
  };
  const walk = (value: Json, path: string): void => {
    if (typeof value === "string") look(value, path);
    else if (Array.isArray(value)) value.forEach((item) => walk(item, path));
    else if (isJsonMap(value))
      for (const [key, member] of Object.entries(value)) {
        look(key, path);
        walk(member, path === "" ? key : `${path}.${key.slice(0, 100)}`);
      }
  };
  walk(properties, "");
  const { resourceGroup, scope } = properties;
  // A right without a scope is one on all that the group has.
  const isGrant = parseTypeName(type)?.name === ROLE_ASSIGNMENT && (scope ?? null) === null;
  const group = isGrant ? (resourceGroup ?? config["resourceGroup"]) : resourceGroup;
  if (typeof group === "string" && (isGrant || !isOwnGroup(group, config))) {
    const id = `/subscriptions/${subscriptionIn(config)}/resourceGroups/${group.toLowerCase()}`;
    named.set(id, {
      what: `the resource group ${group}`,
      owners: [{ type: `azure:${RESOURCE_GROUP}`, id }],
    });
  }
  if (scope === "/") named.set("/", { what: "the whole tenant of Entra", owners: [] });
  return [...named.values()];
}

function isOwnGroup(group: string, { resourceGroup: own }: JsonMap): boolean {
  return typeof own === "string" && group.toLowerCase() === own.toLowerCase();
}
