/**
 * Where an object stands. A template says it by `name`, and `resourceGroup`, `parent` or `scope`; none of them is part
 * of the body. Nothing outside the target's subscription is touched unless the target's config says so.
 */
import { digestHex } from "#platform/crypto/digest.ts";
import type { JsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { type ArmId, GUID, isArmSegment, parseArmId } from "./arm-id.ts";
import { isChild, placeProperties } from "./arm-row.ts";
import { spelledType } from "./types.ts";

const RESOURCE_GROUP = "Microsoft.Resources/resourceGroups";
const ROLE_ASSIGNMENT = "Microsoft.Authorization/roleAssignments";
/** A scope above all subscriptions. */
const TENANT = "/";

export function refused(code: string, message: string): Failed {
  return {
    kind: "failed",
    code,
    message,
    means: "invalid",
    fault: "user",
    retryable: false,
    unknownOutcome: false,
  };
}

const invalid = (message: string): Failed => refused("invalid_place", message);

/** The config lacks what every call needs; undefined: it does not. */
export function incomplete(config: JsonMap): Failed | undefined {
  return subscriptionIn(config) === ""
    ? refused("invalid_config", "Set subscriptionId in the target's config.")
    : undefined;
}

/** Takes an id apart; undefined: it is none. */
export function armId(text: unknown): ArmId | undefined {
  return typeof text === "string" ? parseArmId(text, spelledType) : undefined;
}

/** The id in its one spelling; other texts as they are. */
export function spelledId(text: string): string {
  return armId(text)?.id ?? text;
}

/** The body of an object: its properties without its place. */
export function bodyOf(properties: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(properties).filter(
      ([name]) => !placeProperties.some((property) => property === name),
    ),
  );
}

function vendorType(type: string): string {
  return parseTypeName(type)?.name ?? "";
}

/** The target's subscription, in lower case; "": its config names none. */
export function subscriptionIn({ subscriptionId }: JsonMap): string {
  return typeof subscriptionId === "string" ? subscriptionId.toLowerCase() : "";
}

/** Why the target may not go to this id; undefined: it may. */
function beyond(
  { subscription }: Pick<ArmId, "subscription">,
  config: JsonMap,
): string | undefined {
  const own = subscriptionIn(config);
  return subscription === own || config["otherScopes"] === true
    ? undefined
    : `The target is for the subscription ${own}. To let templates go beyond it, its owner sets otherScopes in the target's config.`;
}

/** An id in its one spelling, and as it is sent. */
export type ObjectId = Pick<ArmId, "id" | "written">;

/** The id of an object of this type, or why it cannot be one. */
export function objectId(
  type: string,
  id: string,
  { config }: Pick<ProviderContext, "config">,
): ObjectId | Failed {
  const lacks = incomplete(config);
  if (lacks !== undefined) return lacks;
  const parsed = armId(id);
  const wanted = vendorType(type);
  if (parsed?.type.toLowerCase() !== wanted.toLowerCase())
    return invalid(
      `${JSON.stringify(id.slice(0, 300))} is not the id of a ${wanted}. An id is what the Azure portal shows as "Resource ID".`,
    );
  const why = beyond(parsed, config);
  return why === undefined ? { id: parsed.id, written: parsed.written } : invalid(why);
}

/**
 * The id of an object with these properties, or why it cannot be one: an object stands where they say. Without
 * properties, only the id says where.
 */
export function placedObjectId(
  type: string,
  id: string,
  properties: JsonMap,
  context: Pick<ProviderContext, "config">,
): ObjectId | Failed {
  const known = writtenIn(properties, type, objectId(type, id, context), context);
  if ("kind" in known) return known;
  const kind = vendorType(type);
  const isSaid = ["parent", "scope", "resourceGroup"].some(
    (name) => (Object.hasOwn(properties, name) ? (properties[name] ?? null) : null) !== null,
  );
  const place = known.id.split("/").slice(0, isChild(kind) || kind === RESOURCE_GROUP ? -2 : -4);
  const above = spelledId(place.join("/"));
  const differs = (where: string): Failed =>
    refused(
      "invalid_id",
      `${known.id} does not stand ${where}, as its properties say. Correct the id, or the properties that say where it stands.`,
    );
  if (isSaid) {
    const wanted = standsIn(kind, properties, context.config);
    if (typeof wanted !== "string") return wanted;
    return spelledId(wanted) === above ? known : differs(`in ${wanted || "the tenant of Entra"}`);
  }
  // The target's group may have been another when the object was made.
  const inGroup = isChild(kind) || kind === RESOURCE_GROUP || armId(above)?.type === RESOURCE_GROUP;
  return inGroup || Object.keys(properties).length === 0 ? known : differs("in a resource group");
}

/** The id with the names in the letter case of the template, as far as it says them. */
function writtenIn(
  properties: JsonMap,
  type: string,
  known: ObjectId | Failed,
  context: Pick<ProviderContext, "config">,
): ObjectId | Failed {
  if ("kind" in known) return known;
  const name = known.written.split("/").at(-1) ?? "";
  const at = placeNamed(type, properties, name, context);
  const said = "kind" in at ? undefined : armId(at.place);
  return said?.id === known.id ? { id: known.id, written: said.written } : known;
}

export interface Place {
  /** The id, with the names in the letter case of the template. */
  place: string;
  /** The engine chose the name, so nothing but this create can have it. */
  isChosen: boolean;
}

/** Where a new object goes. `chosen`: the engine's name for it. */
export async function placeOf(
  type: string,
  properties: JsonMap,
  chosen: string,
  context: Pick<ProviderContext, "config">,
): Promise<Place | Failed> {
  const needsUuid = vendorType(type) === ROLE_ASSIGNMENT && !isNamed(properties);
  return placeNamed(type, properties, needsUuid ? await uuidOf(chosen) : chosen, context);
}

function isNamed(properties: JsonMap): boolean {
  return Object.hasOwn(properties, "name") && properties["name"] !== null;
}

/**
 * The id of a new object, as far as it can be told before the call. Undefined: nothing can be there, or the call is
 * refused.
 */
export function knownIdOf(
  type: string,
  properties: JsonMap,
  chosen: string,
  context: Pick<ProviderContext, "config">,
): string | undefined {
  // Nobody else has the UUID that is made of the engine's name.
  if (vendorType(type) === ROLE_ASSIGNMENT && !isNamed(properties)) return undefined;
  const at = placeNamed(type, properties, chosen, context);
  return "kind" in at ? undefined : spelledId(at.place);
}

function placeNamed(
  type: string,
  properties: JsonMap,
  chosen: string,
  context: Pick<ProviderContext, "config">,
): Place | Failed {
  const lacks = incomplete(context.config);
  if (lacks !== undefined) return lacks;
  const kind = vendorType(type);
  const isChosen = !isNamed(properties);
  const name = isChosen ? chosen : properties["name"];
  if (typeof name !== "string" || !isArmSegment(name))
    return invalid(
      `\`name\` has to be one part of an id: a text without slashes and other characters that end a path.`,
    );
  if (kind === ROLE_ASSIGNMENT && !GUID.test(name))
    return invalid("The name of a role assignment has to be a UUID. Leave `name` out to get one.");
  const above = standsIn(kind, properties, context.config);
  if (typeof above !== "string") return above;
  const [namespace = "", ...kinds] = kind.split("/");
  const last = kinds.at(-1) ?? "";
  const place =
    kind === RESOURCE_GROUP
      ? `${above}/resourceGroups/${name}`
      : isChild(kind)
        ? `${above}/${last}/${name}`
        : `${above}/providers/${namespace}/${last}/${name}`;
  return { place, isChosen };
}

/** The id of what a new object stands in: its parent, its scope or its resource group; `""` is the tenant. */
function standsIn(kind: string, properties: JsonMap, config: JsonMap): string | Failed {
  const given = (name: string) => {
    const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return value === null ? undefined : value;
  };
  const [parent, scope, group] = [given("parent"), given("scope"), given("resourceGroup")];
  const subscription = `/subscriptions/${subscriptionIn(config)}`;
  const unfit = (name: string) =>
    invalid(`\`${name}\` cannot be set for ${kind}: it does not stand there.`);
  if (kind === RESOURCE_GROUP) {
    const one = ["parent", "scope", "resourceGroup"].find((name) => given(name) !== undefined);
    return one === undefined ? subscription : unfit(one);
  }
  if (isChild(kind)) {
    if (scope !== undefined) return unfit("scope");
    if (group !== undefined) return unfit("resourceGroup");
    const wanted = kind.split("/").slice(0, -1).join("/");
    const id = armId(parent);
    if (id?.type.toLowerCase() !== wanted.toLowerCase())
      return invalid(`\`parent\` has to be the id of a ${wanted}.`);
    const why = beyond(id, config);
    return why === undefined ? id.written : invalid(why);
  }
  if (parent !== undefined) return unfit("parent");
  if (scope !== undefined) {
    if (group !== undefined)
      return invalid("`scope` and `resourceGroup` both say where the object stands: set one.");
    const isTenant = scope === TENANT;
    const id: Pick<ArmId, "written" | "subscription"> | undefined = isTenant
      ? { written: "" }
      : armId(scope);
    if (id === undefined) return invalid("`scope` has to be an id.");
    const why = beyond(id, config);
    return why === undefined ? id.written : invalid(why);
  }
  const name = group ?? config["resourceGroup"];
  if (typeof name !== "string" || !isArmSegment(name))
    return invalid(
      "The resource needs a resource group: set `resourceGroup`, or `resourceGroup` in the target's config.",
    );
  return `${subscription}/resourceGroups/${name}`;
}

/** The same for every repetition; a UUID of a kind of its own (RFC 9562, version 8). */
async function uuidOf(name: string): Promise<string> {
  const hex = await digestHex(`azure role assignment ${name}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
