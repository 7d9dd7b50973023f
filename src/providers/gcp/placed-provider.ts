/**
 * The shared implementation with Google's names around it: before a call an id says where its object stands, and is
 * refused if it is another type's or project's; afterwards the outputs are in the words of the template, and `id` is the
 * engine's. Rights go to `iam-members.ts`.
 */
import type { JsonMap } from "#platform/json.ts";
import type {
  LookUpCall,
  Outcome,
  Provider,
  ProviderContext,
  ReadCall,
} from "#providers/provider.ts";
import { latePaths } from "#providers/rest/changes/body.ts";
import { judgedByTime, timeOf } from "#providers/rest/changes/search.ts";
import { unshown } from "#providers/rest/changes/shown.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { asSent } from "./as-sent.ts";
import { BUCKET, bucketElsewhere, inProject } from "./bucket-project.ts";
import { type IamMembers, isMemberType, memberId } from "./iam-members.ts";
import { namedObjects } from "./named-objects.ts";
import { CONNECTION } from "./private-connections.ts";
import { isNamedOtherwise, type Placed, placedBy, withProject } from "./resource-id.ts";
import { gcpTypes } from "./types.ts";

const LONGEST_REQUEST_MS = 120_000;

/** A create of these changes what is there already. */
const takesOver: ReadonlySet<string> = new Set(["gcp:sql/User", CONNECTION]);

type Done = Extract<Outcome, { kind: "done" }>;

interface Called {
  type: string;
  properties: JsonMap;
  name?: string;
}

function projectOf(properties: JsonMap, { config }: ProviderContext): string {
  const project = properties["project"] ?? config["project"];
  return typeof project === "string" ? project : "";
}

/** The outcome in the words of the template. */
function told(
  outcome: Outcome,
  { type, properties, name }: Called,
  context: ProviderContext,
): Outcome {
  if (!("id" in outcome) || outcome.id === undefined) return outcome;
  const project = projectOf(properties, context);
  const id = withProject(outcome.id, project);
  if (!("outputs" in outcome) || outcome.outputs === undefined) return { ...outcome, id };
  const row = gcpTypes.rowOf(type);
  if (outcome.kind === "done" && row !== undefined && isNamedOtherwise(outcome.outputs, row, id)) {
    const message = `gcp shows another name for ${id}. Use the id by which it shows the object.`;
    return failure("other_id", message);
  }
  const key = row?.name?.property;
  const named = key === undefined || name === undefined ? {} : { [key]: name };
  const outputs = asSent({ ...named, ...properties }, outcome.outputs, project);
  return { ...outcome, id, outputs: { ...outputs, id } };
}

function placed(
  context: ProviderContext,
  { type, id, properties }: Called & { id: string },
): Placed {
  const row = gcpTypes.rowOf(type);
  return row === undefined
    ? { ok: false, failed: failure("unknown_type", `gcp has no resource type "${type}".`) }
    : placedBy(row, type, id, properties, context.config);
}

export function placedProvider(
  provider: Provider,
  members: IamMembers,
  definition: RestProviderDefinition,
): Provider {
  const withId = async <C extends Called & { id: string }>(
    context: ProviderContext,
    call: C,
    act: (call: C) => Promise<Outcome>,
  ): Promise<Outcome> => {
    const at = placed(context, call);
    if (!at.ok) return at.failed;
    return told(await act({ ...call, properties: at.properties }), call, context);
  };
  const elsewhere = (context: ProviderContext, { id, properties }: Called & { id: string }) =>
    bucketElsewhere(definition, context, id, projectOf(properties, context));
  const read = async (context: ProviderContext, call: ReadCall): Promise<Outcome> => {
    const seen = await provider.read(context, call);
    if (call.type !== BUCKET || (seen.kind !== "done" && seen.kind !== "pending")) return seen;
    return (await elsewhere(context, call)) ?? seen;
  };
  /** Changes an object, if it is in the project. */
  const change = <C extends Called & { id: string }>(
    context: ProviderContext,
    call: C,
    act: (call: C) => Promise<Outcome>,
  ): Promise<Outcome> =>
    withId(context, call, async (asked) =>
      asked.type === BUCKET
        ? inProject(
            elsewhere(context, asked),
            () => provider.read(context, asked),
            () => act(asked),
          )
        : act(asked),
    );
  return {
    ...provider,
    namedObjects,
    knownId: (context, call) =>
      isMemberType(call.type) ? memberId(context, call) : provider.knownId?.(context, call),
    repeats: (context, type) =>
      isMemberType(type)
        ? { longestRequestMs: LONGEST_REQUEST_MS, repeatableMs: 0, findable: true }
        : provider.repeats(context, type),
    create: async (context, call) => {
      if (isMemberType(call.type)) return members.create(context, call);
      if (takesOver.has(call.type)) {
        const there = await readKnown(provider, context, call);
        if (there !== undefined) return there;
      }
      return told(await provider.create(context, call), call, context);
    },
    lookUp: async (context, call) => {
      const { type } = call;
      const id = isMemberType(type) ? memberId(context, call) : provider.knownId?.(context, call);
      if (id !== undefined && call.known.includes(id)) return { kind: "gone" };
      if (isMemberType(type)) return members.lookUp(context, call);
      const { name, find } = gcpTypes.rowOf(type) ?? {};
      const key = name?.property;
      const isChosen = key !== undefined && !Object.hasOwn(call.properties, key);
      // Nobody else in the project knows a name that the engine chose. Types whose names are global have labels.
      if (isChosen && id !== undefined && find?.by !== "label")
        return told(await provider.read(context, { ...call, id, awaitReady: true }), call, context);
      const lateMark = find?.by === "label" ? find.createdAt : undefined;
      if (lateMark !== undefined && id !== undefined) {
        // A part would mark it.
        const there = told(await provider.read(context, { ...call, id }), call, context);
        const judged = isSince(there, lateMark, call) ? asCreated(there, call) : undefined;
        if (judged?.kind === "failed") return judged;
      }
      const found = told(await provider.lookUp(context, call), call, context);
      if (find?.by !== "properties") return found;
      if (found.kind === "done") return asCreated(found, call);
      return found.kind === "gone" && id !== undefined
        ? asAbsent(id, await provider.read(context, { ...call, id }), find.createdAt)
        : found;
    },
    read: (context, call) =>
      isMemberType(call.type)
        ? members.read(context, call)
        : withId(context, call, (asked) => read(context, asked)),
    update: async (context, call) => {
      if (isMemberType(call.type))
        return failure("not_updatable", "A right cannot be changed: a change replaces it.");
      const before = placed(context, { ...call, properties: call.before });
      if (!before.ok) return before.failed;
      return change(context, call, (asked) =>
        provider.update(context, { ...asked, before: before.properties }),
      );
    },
    delete: (context, call) =>
      isMemberType(call.type)
        ? members.remove(context, call)
        : change(context, call, (asked) => provider.delete(context, asked)),
    poll: async (context, call) => {
      const { id } = call;
      if (isMemberType(call.type)) return members.give(context, call);
      if (id === undefined) return told(await provider.poll(context, call), call, context);
      const before =
        call.update && placed(context, { ...call, id, properties: call.update.before });
      if (before?.ok === false) return before.failed;
      const update = call.update && {
        ...call.update,
        ...(before && { before: before.properties }),
      };
      return withId(context, { ...call, id }, (asked) =>
        provider.poll(context, { ...asked, ...(update && { update }) }),
      );
    },
  };
}

/** Whether the create may have made what is there. */
function isSince(there: Outcome, createdAt: string, { sentMs }: LookUpCall): there is Done {
  return (
    there.kind === "done" &&
    sentMs !== undefined &&
    judgedByTime(timeOf(there.outputs[createdAt]), sentMs, undefined) !== "other"
  );
}

/**
 * What a look-up found by its name and time, if it shows all that was sent: another that was made since then is a
 * stranger's.
 */
function asCreated(found: Done, { type, properties }: Called): Outcome {
  const row = gcpTypes.rowOf(type);
  const hidden = [...(row?.writeOnly ?? []), ...(row === undefined ? [] : latePaths(row))];
  const other = unshown({}, found.outputs, properties).filter(
    (key) => !hidden.some((path) => topOf(path) === key),
  );
  if (other.length === 0) return found;
  const message = `gcp has ${found.id} since this create was sent, with other values of ${other.join(", ")}, so that nothing shows whether this step created it. If it did, delete it at Google Cloud.`;
  return failure("cannot_tell", message, { unknownOutcome: true });
}

/**
 * What no list showed under its name is absent if its id says so too. One that says when it was made is found by the
 * list once that no longer lags behind.
 */
function asAbsent(id: string, there: Outcome, createdAt: string): Outcome {
  if (there.kind === "gone" || there.kind === "failed") return there;
  if (there.kind === "done" && Object.hasOwn(there.outputs, createdAt)) return { kind: "gone" };
  const message = `gcp has ${id}, and nothing shows whether an earlier request of this step created it. If it did, delete it at Google Cloud.`;
  return failure("cannot_tell", message, { unknownOutcome: true });
}

function topOf(path: string): string {
  return /^[^.[]+/.exec(path)?.[0] ?? path;
}

/** The refusal of a create where something is. */
async function readKnown(
  provider: Provider,
  context: ProviderContext,
  call: Called & { name: string },
): Promise<Outcome | undefined> {
  const id = provider.knownId?.(context, call);
  if (id === undefined) return undefined;
  const there = await provider.read(context, { ...call, id });
  if (there.kind === "gone") return undefined;
  if (there.kind !== "done") return there;
  const message = `gcp already has ${id}, not created by this step, and a create would take it over. Import it, delete it, or choose another name.`;
  return failure("already_exists", message, { means: "exists", fault: "user" });
}
