/**
 * The shared implementation with Azure's way to say where an object stands: before a call, the place is taken out of the
 * properties and every id has its one spelling; afterwards the outputs are in the words of the template.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import { shows } from "#providers/rest/changes/shown.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { placeProperties } from "./arm-row.ts";
import { asAzureTakesIt, asSent } from "./as-sent.ts";
import { CONTENTS_TYPE, DELETED_WORKSPACES_TYPE, FURTHER_CONTENTS_TYPE } from "./contents.ts";
import { namedObjects } from "./named-objects.ts";
import {
  armId,
  bodyOf,
  knownIdOf,
  objectId,
  type Place,
  placedObjectId,
  placeOf,
  refused,
  spelledId,
} from "./place.ts";
import { callableTypes, isOpenType, rowInUse } from "./types.ts";

const RESOURCE_GROUP = "Microsoft.Resources/resourceGroups";
const WORKSPACE = "Microsoft.OperationalInsights/workspaces";
/** Pages of a resource group's contents, at most. */
const MAX_PAGES = 10;
/** Names in a message, at most. */
const MAX_NAMED = 5;

/** The properties as the shared implementation gets them: the body, and the place for paths. */
function inner(properties: JsonMap, at?: Place): JsonMap {
  const body = asAzureTakesIt(bodyOf(properties));
  return at === undefined ? body : { ...body, place: at.place };
}

/**
 * The outcome in the words of the template. `at`: the object's id as it was sent. An object that Azure shows under
 * another id is another: nothing is told of it.
 */
function told(outcome: Outcome, properties: JsonMap, at: string): Outcome {
  const asked = armId(at);
  const shownId = "outputs" in outcome ? outcome.outputs?.["id"] : undefined;
  const other = armId(shownId) ?? armId("id" in outcome ? outcome.id : undefined);
  if (other !== undefined && other.type === asked?.type && other.id !== asked.id)
    return refused("other_id", `Azure shows ${other.id} where ${at} was asked for.`);
  const id = spelledId(at);
  const spelled = "id" in outcome && outcome.id !== undefined ? { ...outcome, id } : outcome;
  if (!("outputs" in spelled) || spelled.outputs === undefined) return spelled;
  const { place: _, ...shown } = spelled.outputs;
  const places = placeProperties.flatMap((name) =>
    name !== "name" && Object.hasOwn(properties, name) ? [[name, properties[name] ?? null]] : [],
  );
  const outputs = { ...asSent(properties, shown), ...Object.fromEntries(places) };
  // What stands in this object names it by this id, and so in its letter case.
  return { ...spelled, outputs: shownId === undefined ? outputs : { ...outputs, id: at } };
}

/** The same after a PUT: what it made, if anything, stands where it was sent. */
function toldOfCreate(outcome: Outcome, properties: JsonMap, at: string): Outcome {
  const said = told(outcome, properties, at);
  return said.kind === "failed" && said.code === "other_id"
    ? { ...said, id: spelledId(at), unread: true }
    : said;
}

/** A template within the template: what it deploys is seen by no check, and stands anywhere. */
const nested = /^microsoft\.resources\/deployment(?:s|stacks)$/i;

/** Groups by the older name of their place, and what is below a group by neither name: other ids for the same objects. */
const belowGroups =
  /^microsoft\.resources\/(?:subscriptions\/resourcegroups(?:\/|$)|resourcegroups\/)/i;

const regionName = /^[a-z0-9]+$/;

/** What bodies have at their first level, besides what the facts of a type name. */
const members = [
  ...placeProperties,
  ..."location tags properties identity sku kind zones plan managedBy extendedLocation".split(" "),
];

/** Names of the first level or of `properties` that the checks know, in another letter case. ARM takes them as the same. */
function misspelledIn(type: string, properties: JsonMap): Failed | undefined {
  const facts = callableTypes.facts(type);
  const paths = [
    ...(facts?.immutable ?? []),
    ...(facts?.readOnly ?? []),
    ...(facts?.writeOnly ?? []),
  ].map((path) => path.split("."));
  const top = [...members, ...Object.keys(facts?.properties ?? {}), ...paths.map(([one]) => one)];
  const inner = paths.flatMap(([one, two]) => (one === "properties" ? [two] : []));
  const { properties: body } = properties;
  const levels: [JsonMap, (string | undefined)[]][] = [
    [properties, top],
    [isJsonMap(body) ? body : {}, [...inner, "createMode", "restore"]],
  ];
  for (const [level, known] of levels) {
    const spellings = new Map(known.map((name) => [name?.toLowerCase(), name]));
    for (const name of Object.keys(level)) {
      const spelled = spellings.get(name.toLowerCase());
      if (spelled !== undefined && !known.includes(name))
        return refused(
          "invalid_property",
          `Azure takes \`${name.slice(0, 100)}\` for \`${spelled}\`. Write it in that letter case.`,
        );
    }
  }
  return undefined;
}

/** The refusal of a type without a row at a target that tenants share. */
function notHere(kind: string): Failed {
  return refused(
    "type_not_allowed",
    `At a target that tenants share, nobody can tell what a ${kind} reaches. Use a type of GET /cloud/providers/azure/types that is verified, or a target of your own.`,
  );
}

/** Why these properties must not be sent; undefined: nothing speaks against them. */
function mistakeIn(
  { type, properties }: { type: string; properties: JsonMap },
  { ownAccount }: ProviderContext,
): Failed | undefined {
  const kind = parseTypeName(type)?.name ?? "";
  if (nested.test(kind))
    return refused(
      "type_not_allowed",
      `${kind} deploys a template that nobody checks: neither its regions nor whose objects it changes. Write its resources into this template instead.`,
    );
  if (belowGroups.test(kind))
    return refused(
      "type_not_allowed",
      `${kind} is another name for a resource group or for what stands in one. Use Microsoft.Resources/resourceGroups, or the type of the object itself with \`resourceGroup\`.`,
    );
  if (ownAccount !== true && isOpenType(type)) return notHere(kind);
  const misspelled = misspelledIn(type, properties);
  if (misspelled !== undefined) return misspelled;
  const { location, properties: body } = properties;
  if (typeof location === "string" && !regionName.test(location))
    return refused(
      "invalid_location",
      `\`location\` ${JSON.stringify(location.slice(0, 100))} is not the name of a region. Write it in lower case without spaces, for example westeurope.`,
    );
  const inside = isJsonMap(body) ? body : {};
  const mode = inside["createMode"];
  const recovers =
    (typeof mode === "string" && mode.toLowerCase() === "recover") ||
    /^true$/i.test(JSON.stringify(inside["restore"] ?? null).replaceAll('"', ""));
  return recovers && ownAccount !== true
    ? refused(
        "already_exists",
        "A deleted object may be another tenant's at a target that tenants share, so it is not recovered there. Choose another name.",
      )
    : undefined;
}

/** Where the object of a create goes, or why it must not be made. */
async function judged(
  call: { type: string; name: string; properties: JsonMap },
  context: ProviderContext,
): Promise<Place | Failed> {
  return mistakeIn(call, context) ?? placeOf(call.type, call.properties, call.name, context);
}

/** Whether a create leaves a mark on the object. */
function isMarked({ type, properties }: { type: string; properties: JsonMap }): boolean {
  const row = callableTypes.rowOf(type);
  return row !== undefined && rowInUse(row, properties).find?.by === "label";
}

/** The provider that takes places and ids as templates write them. `provider`: the shared implementation. */
export function placedProvider(provider: Provider): Provider {
  const withId = async <C extends { type: string; id: string; properties: JsonMap }>(
    context: ProviderContext,
    call: C,
    act: (call: C) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const known = placedObjectId(call.type, call.id, call.properties, context);
    if ("kind" in known) return known;
    const outcome = await act({ ...call, id: known.written, properties: inner(call.properties) });
    return told(outcome, call.properties, known.written);
  };

  return {
    ...provider,
    spelledId: (_, id) => spelledId(id),
    namedObjects: (context, call) => namedObjects(call, context),
    knownId: (context, { type, name, properties }) => knownIdOf(type, properties, name, context),
    create: async (context, call) => {
      const at = await judged(call, context);
      if ("kind" in at) return at;
      const kept = await deletedWorkspace(provider, context, call, at);
      if (kept !== undefined) return kept;
      const properties = inner(call.properties, at);
      const outcome = await provider.create(context, { ...call, properties });
      return toldOfCreate(outcome, call.properties, at.place);
    },
    lookUp: async (context, call) => {
      const at = await judged(call, context);
      if ("kind" in at) return at;
      const properties = inner(call.properties, at);
      const id = spelledId(at.place);
      if (call.known.includes(id)) return { kind: "gone" };
      const marked = isMarked(call);
      // Nobody else knows a name that the engine chose; where the object has tags, its mark proves it.
      const outcome =
        at.isChosen && !marked
          ? await provider.read(context, {
              type: call.type,
              id: at.place,
              properties: inner(call.properties),
              awaitReady: true,
            })
          : await provider.lookUp(context, { ...call, properties });
      const isByTime =
        !at.isChosen && !marked && callableTypes.rowOf(call.type)?.find?.by === "place";
      const another =
        isByTime && isThere(outcome) ? await unlike(provider, context, call, at) : undefined;
      return another ?? told(outcome, call.properties, at.place);
    },
    read: async (context, call) => {
      // Without the engine's name it is an import, or for a template to read.
      if (call.name === undefined && context.ownAccount !== true && isOpenType(call.type))
        return notHere(parseTypeName(call.type)?.name ?? call.type);
      return withId(context, call, (asked) => provider.read(context, asked));
    },
    update: async (context, call) => {
      const mistake = mistakeIn(call, context);
      if (mistake !== undefined) return mistake;
      const before = inner(call.before);
      return withId(context, call, (asked) => provider.update(context, { ...asked, before }));
    },
    delete: async (context, call) => {
      const left = await leftIn(provider, context, call);
      return left ?? withId(context, call, (asked) => provider.delete(context, asked));
    },
    poll: async (context, call) => {
      const at = call.verb === "create" ? await judged(call, context) : undefined;
      if (at !== undefined && "kind" in at) return at;
      const known =
        call.id === undefined
          ? undefined
          : placedObjectId(call.type, call.id, call.properties, context);
      if (known !== undefined && "kind" in known) return known;
      const outcome = await provider.poll(context, {
        ...call,
        properties: inner(call.properties, at),
        ...(known === undefined ? {} : { id: known.written }),
        ...(call.update === undefined
          ? {}
          : { update: { ...call.update, before: inner(call.update.before) } }),
      });
      const place = known?.written ?? at?.place ?? "";
      return call.verb === "create"
        ? toldOfCreate(outcome, call.properties, place)
        : told(outcome, call.properties, place);
    },
  };
}

/** Whether a look-up found an object to adopt. */
function isThere(outcome: Outcome): boolean {
  return outcome.kind === "done" || outcome.kind === "pending" || "outputs" in outcome;
}

/**
 * Why the object that was made at the place of a create, since it was first sent, may be another's: it does not show all
 * that the create sent. Time alone would give a stranger's rule of the same minute.
 */
async function unlike(
  provider: Provider,
  context: ProviderContext,
  { type, name, properties }: { type: string; name: string; properties: JsonMap },
  { place }: Place,
): Promise<Outcome | undefined> {
  const read = await provider.read(context, {
    type,
    name,
    id: place,
    properties: inner(properties),
  });
  if (read.kind === "gone") return read;
  if (read.kind === "failed") return { ...read, unknownOutcome: true };
  if (read.kind === "done" && shows(bodyOf(properties), asSent(properties, read.outputs)))
    return undefined;
  const message = `Azure has ${place} since this create was sent, but it does not show what the create sent, so that it may be another's. If it is this step's, delete it at Azure; if not, choose another name.`;
  return { ...refused("cannot_tell", message), unknownOutcome: true };
}

/**
 * Why a workspace must not be made at a target that tenants share: a deleted one of its name is there, perhaps another
 * tenant's, and Azure would recover it with its logs without a word.
 */
async function deletedWorkspace(
  provider: Provider,
  context: ProviderContext,
  { type }: { type: string },
  { place }: Place,
): Promise<Outcome | undefined> {
  if (context.ownAccount === true || parseTypeName(type)?.name !== WORKSPACE) return undefined;
  const [id = ""] = place.split(/\/providers\//i);
  const read = await provider.read(context, { type: DELETED_WORKSPACES_TYPE, id, properties: {} });
  if (read.kind === "gone") return undefined;
  if (read.kind !== "done") return read;
  const { value } = read.outputs;
  const name = place.split("/").at(-1)?.toLowerCase();
  const isFree =
    Array.isArray(value) &&
    value.every((one) => {
      const { name: deleted } = isJsonMap(one) ? one : {};
      return typeof deleted === "string" && deleted.toLowerCase() !== name;
    });
  return isFree
    ? undefined
    : refused(
        "already_exists",
        "Azure keeps a deleted workspace of this name, which a create would recover with its logs. It may be another tenant's. Choose another name.",
      );
}

/** The token of the next page; undefined: the answer does not say where that is. */
function skipTokenIn(nextLink: Json | undefined): string | undefined {
  if (typeof nextLink !== "string" || !URL.canParse(nextLink)) return undefined;
  const { searchParams } = new URL(nextLink);
  return searchParams.get("$skiptoken") ?? searchParams.get("$skipToken") ?? undefined;
}

/** Azure deletes a resource group with everything in it, also what others put there: it waits until nothing is left. */
async function leftIn(
  provider: Provider,
  context: ProviderContext,
  { type, id }: { type: string; id: string },
): Promise<Outcome | undefined> {
  if (parseTypeName(type)?.name !== RESOURCE_GROUP) return undefined;
  const group = objectId(type, id, context);
  if ("kind" in group) return group;
  let listed: Json[] | undefined;
  let skiptoken: string | undefined;
  // An empty page may have a next one with what is there.
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const read = await provider.read(context, {
      type: skiptoken === undefined ? CONTENTS_TYPE : FURTHER_CONTENTS_TYPE,
      id: group.id,
      properties: skiptoken === undefined ? {} : { skiptoken },
    });
    if (read.kind === "gone") return undefined;
    if (read.kind !== "done") return read;
    const { value, nextLink } = read.outputs;
    listed = Array.isArray(value) ? value : undefined;
    const isWhole = nextLink === undefined || nextLink === null || nextLink === "";
    if (listed?.length === 0 && isWhole) return undefined;
    skiptoken = skipTokenIn(nextLink);
    if (listed?.length !== 0 || skiptoken === undefined) break;
  }
  const names = (listed ?? []).flatMap((one) =>
    isJsonMap(one) && typeof one["id"] === "string" ? [one["id"]] : [],
  );
  return {
    kind: "failed",
    code: "not_empty",
    message:
      names.length === 0
        ? "Azure does not say what the resource group still has, which would be deleted with it. Look at Azure, delete or move what is in it, or set retainOnDelete for the resource group."
        : `The resource group still has ${names.slice(0, MAX_NAMED).join(", ")}, which would be deleted with it. Delete or move it at Azure, or set retainOnDelete for the resource group.`,
    means: "busy",
    fault: "user",
    retryable: true,
    unknownOutcome: false,
    afterMs: 15_000,
  };
}
