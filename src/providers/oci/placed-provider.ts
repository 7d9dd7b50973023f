/** The shared implementation with Oracle's own additions: rules of security groups, and ids that are names. */
import type { Json, JsonMap } from "#platform/json.ts";
import type { Outcome, Provider, ProviderContext, UpdateCall } from "#providers/provider.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { RULES_TYPE, type SecurityRules } from "./security-rules.ts";
import { ociTypes } from "./types.ts";
import { atVault } from "./vault-host.ts";

/** Oracle still takes older names of these types' properties, such as `subnetId`, of which `refers` knows nothing. */
const closed: ReadonlySet<string> = new Set(["oci:Instance"]);

const RECORDS = "oci:DnsRecords";

/** The outputs of records, with their name and type, which Oracle shows nowhere but in the path. */
function placedRecords(outcome: Outcome, properties: JsonMap): Outcome {
  if (!("outputs" in outcome) || outcome.outputs === undefined) return outcome;
  const { outputs } = outcome;
  const placed = ["domain", "rtype"].flatMap((key): [string, Json][] => {
    const value = properties[key];
    return value === undefined || Object.hasOwn(outputs, key) ? [] : [[key, value]];
  });
  return { ...outcome, outputs: { ...outputs, ...Object.fromEntries(placed) } };
}

/** The outcome with the engine's id as `id`, and Oracle's own beside it. */
function told(outcome: Outcome, { type, properties }: Call): Outcome {
  if (type === RECORDS) return placedRecords(outcome, properties);
  if (ociTypes.rowOf(type)?.id?.at !== "name") return outcome;
  if (!("outputs" in outcome) || outcome.outputs === undefined) return outcome;
  const { id } = outcome;
  const { id: ocid, ...outputs } = outcome.outputs;
  if (id === undefined || ocid === undefined || ocid === id) return outcome;
  return { ...outcome, outputs: { ...outputs, id, ocid } };
}

interface Call {
  type: string;
  properties: JsonMap;
}

/** The namespace is the tenancy's: properties that name another would lead to buckets of strangers. */
function strangeNamespace(
  { config }: ProviderContext,
  { type, properties }: Call,
): Failed | undefined {
  const { namespace } = properties;
  if (type !== "oci:Bucket" || namespace === undefined || namespace === config["namespace"])
    return undefined;
  const message = "A bucket is in the namespace of the target's config. Remove `namespace`.";
  return failure("invalid_property", message, { means: "invalid", fault: "user" });
}

function unlisted({ type, properties }: Call): Failed | undefined {
  const known = ociTypes.rowOf(type)?.takes?.properties;
  if (!closed.has(type) || known === undefined) return undefined;
  const name = Object.keys(properties).find((one) => !Object.hasOwn(known, one));
  if (name === undefined) return undefined;
  const message = `${type} has no property ${name}. Remove it, or use the one that took its place.`;
  return failure("invalid_property", message, { means: "invalid", fault: "user" });
}

export function placedProvider(provider: Provider, rules: SecurityRules): Provider {
  const act =
    <C extends Call>(
      own: (context: ProviderContext, call: C) => Outcome | Promise<Outcome>,
      rest: (context: ProviderContext, call: C) => Promise<Outcome>,
    ) =>
    async (context: ProviderContext, call: C): Promise<Outcome> => {
      if (call.type === RULES_TYPE) return own(context, call);
      const at = atVault(context, call);
      if ("kind" in at) return at;
      return strangeNamespace(context, call) ?? told(await rest(at, call), call);
    };
  return {
    ...provider,
    knownId: (context, call) =>
      call.type === RULES_TYPE ? rules.idOf(call) : provider.knownId?.(context, call),
    create: act(
      (context, call) => rules.create(context, call),
      async (context, call) => unlisted(call) ?? provider.create(context, call),
    ),
    lookUp: act(
      (context, call) => rules.lookUp(context, call),
      (context, call) => provider.lookUp(context, call),
    ),
    read: act(
      (context, call) => rules.read(context, call),
      (context, call) => provider.read(context, call),
    ),
    update: act(
      (context, call) => rules.update(context, call),
      async (context, call: UpdateCall) => unlisted(call) ?? provider.update(context, call),
    ),
    delete: act(
      (context, call) => rules.remove(context, call),
      (context, call) => provider.delete(context, call),
    ),
    poll: act(
      (context, call) => rules.poll(context, call),
      (context, call) => provider.poll(context, call),
    ),
    repeats: (context, type) =>
      type === RULES_TYPE
        ? { longestRequestMs: 120_000, repeatableMs: 0, findable: true }
        : provider.repeats(context, type),
  };
}
