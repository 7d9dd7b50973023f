/**
 * The shared implementation with Azure's way to say where an object stands: before a call, the place is taken out of the
 * properties and every id has its one spelling; afterwards the outputs are in the words of the template.
 */
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { placeProperties } from "./arm-row.ts";
import { asAzureTakesIt, asSent } from "./as-sent.ts";
import { CONTENTS_TYPE } from "./contents.ts";
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
import { callableTypes, rowInUse } from "./types.ts";

const RESOURCE_GROUP = "Microsoft.Resources/resourceGroups";
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
    namedObjects: (context, { properties }) => namedObjects(properties, context),
    knownId: (context, { type, name, properties }) => knownIdOf(type, properties, name, context),
    create: async (context, call) => {
      const at = await judged(call, context);
      if ("kind" in at) return at;
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
      // Nobody else knows a name that the engine chose; where the object has tags, its mark proves it.
      const outcome =
        at.isChosen && !isMarked(call)
          ? await provider.read(context, {
              type: call.type,
              id: at.place,
              properties: inner(call.properties),
              awaitReady: true,
            })
          : await provider.lookUp(context, { ...call, properties });
      return told(outcome, call.properties, at.place);
    },
    read: (context, call) => withId(context, call, (asked) => provider.read(context, asked)),
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

/** Azure deletes a resource group with everything in it, also what others put there: it waits until nothing is left. */
async function leftIn(
  provider: Provider,
  context: ProviderContext,
  { type, id }: { type: string; id: string },
): Promise<Outcome | undefined> {
  if (parseTypeName(type)?.name !== RESOURCE_GROUP) return undefined;
  const group = objectId(type, id, context);
  if ("kind" in group) return group;
  const read = await provider.read(context, {
    type: CONTENTS_TYPE,
    id: group.id,
    properties: {},
  });
  if (read.kind === "gone") return undefined;
  if (read.kind !== "done") return read;
  const { value, nextLink } = read.outputs;
  const listed = Array.isArray(value) ? value : undefined;
  const isWhole = nextLink === undefined || nextLink === null || nextLink === "";
  if (listed?.length === 0 && isWhole) return undefined;
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
