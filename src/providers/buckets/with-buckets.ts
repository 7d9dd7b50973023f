/**
 * Buckets of clouds whose object storage speaks S3, with access keys of its own. A create first looks that there is no
 * such bucket, because S3 answers a repeated create as if it were new. Its settings are set by the poll after it: whoever
 * dies in between reads which are missing. A lost create is found in the list, by its name and by when it was made. Keeps
 * no state.
 */
import type { Json, JsonMap } from "#platform/json.ts";
import type { AwsKeys } from "#providers/auth/sign-aws.ts";
import { type PollHandle, pollHandleFrom } from "#providers/polling.ts";
import type {
  CreateCall,
  DeleteCall,
  Lack,
  LookUpCall,
  Outcome,
  PollCall,
  Provider,
  ProviderContext,
  ReadCall,
  UpdateCall,
} from "#providers/provider.ts";
import { withName } from "#providers/rest/changes/body.ts";
import { judgedByTime } from "#providers/rest/changes/search.ts";
import type { Answered, Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import { pending, stillPending, UNSEEN_GRACE_MS } from "#providers/rest/observe.ts";
import { located, placedId } from "#providers/rest/placed-id.ts";
import { otherId } from "#providers/rest/read-object.ts";
import { type Attempt, failure, unsent } from "#providers/rest/requests/attempt.ts";
import { regionMistake } from "#providers/rest/requests/known-region.ts";
import { invalidInput } from "#providers/rest/requests/valid-input.ts";
import { parseTypeName } from "#providers/type-name.ts";
import {
  type Bucket,
  createBucket,
  deleteBucket,
  listedBucket,
  readSetting,
  writeSetting,
} from "./bucket-calls.ts";
import { type BucketSetting, inSentForm, isSet, valueOf } from "./bucket-settings.ts";
import { propertyMistake } from "./property-mistake.ts";

export interface BucketService {
  type: string;
  /** The name of the definition's host. */
  host: string;
  settings: readonly BucketSetting[];
  /** The access key in a valid credential. */
  keysOf: (credential: Json) => AwsKeys | undefined;
  /** What to do without one, in a sentence. */
  withoutKeys: string;
  /** The outputs besides the properties. */
  shown: (name: string, region: string) => JsonMap;
}

interface Called {
  type: string;
  properties: JsonMap;
  name?: string;
  id?: string;
  before?: JsonMap;
}

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const NAME_RULE =
  "The name of a bucket has 3 to 63 characters: small letters, digits, hyphens and dots. Choose another one.";

type Calls = Pick<Provider, "create" | "lookUp" | "read" | "update" | "delete" | "poll">;

/** The provider with the type of the service. */
export function withBuckets(
  provider: Provider,
  definition: RestProviderDefinition,
  service: BucketService,
): Provider {
  const buckets = new Buckets(definition, service);
  const of = (type: string): Calls => (type === service.type ? buckets : provider);
  return {
    ...provider,
    create: (context, call) => of(call.type).create(context, call),
    lookUp: (context, call) => of(call.type).lookUp(context, call),
    read: (context, call) => of(call.type).read(context, call),
    update: (context, call) => of(call.type).update(context, call),
    delete: (context, call) => of(call.type).delete(context, call),
    poll: (context, call) => of(call.type).poll(context, call),
    needs: async (context, types) => {
      const needs = await provider.needs?.(context, types);
      const lack = buckets.lack(context, types);
      if (lack === undefined) return needs;
      return { unread: [], ...needs, lacks: [...(needs?.lacks ?? []), lack] };
    },
  };
}

class Buckets implements Calls {
  readonly #definition: RestProviderDefinition;
  readonly #service: BucketService;

  constructor(definition: RestProviderDefinition, service: BucketService) {
    this.#definition = definition;
    this.#service = service;
  }

  /** That the credential has no access key for a template with buckets. */
  lack({ credential }: ProviderContext, types: ReadonlyMap<string, number>): Lack | undefined {
    const { type, keysOf, withoutKeys } = this.#service;
    const name = parseTypeName(type)?.name ?? "";
    const isValid = this.#definition.credential.safeParse(credential).success;
    if (!types.has(name) || !isValid || keysOf(credential) !== undefined) return undefined;
    return {
      what: "The credential has no access key for buckets.",
      fix: withoutKeys,
      types: [name],
    };
  }

  async create(context: ProviderContext, call: CreateCall): Promise<Outcome> {
    const bucket = this.#bucket("create", context, call);
    if ("kind" in bucket) return bucket;
    const listed = await listedBucket(bucket);
    if (!listed.ok) return listed.failed;
    if (listed.isThere) {
      const message = `${this.#definition.types.name} already has ${bucket.id}, not created by this step. Import it, delete it, or choose another name.`;
      return failure("already_exists", message, { means: "exists", fault: "user" });
    }
    const made = await createBucket(bucket, bucket.attempt.properties["acl"]);
    return made.ok ? started(bucket) : made.failed;
  }

  /** Nothing on a bucket says who made it: its name counts if the engine chose it, or if it was made since. */
  async lookUp(context: ProviderContext, call: LookUpCall): Promise<Outcome> {
    const bucket = this.#bucket("list", context, call);
    if ("kind" in bucket) return bucket;
    const listed = await listedBucket(bucket);
    if (!listed.ok) return { ...listed.failed, unknownOutcome: true };
    if (!listed.isThere || call.known.includes(bucket.id)) return { kind: "gone" };
    const { madeMs, skewMs } = listed;
    const judged = call.sentMs === undefined ? "maybe" : judgedByTime(madeMs, call.sentMs, skewMs);
    if (judged === "ours" || (judged === "maybe" && bucket.name === call.name))
      return started(bucket);
    if (judged === "other") return { kind: "gone" };
    const message = `${this.#definition.types.name} has ${bucket.id}, and nothing shows whether an earlier request of this step made it. If it did, delete the bucket at the provider.`;
    return failure("cannot_tell", message, { unknownOutcome: true });
  }

  async read(context: ProviderContext, call: ReadCall): Promise<Outcome> {
    const bucket = this.#bucket("read", context, call);
    return "kind" in bucket ? bucket : this.#shown(bucket);
  }

  async update(context: ProviderContext, call: UpdateCall): Promise<Outcome> {
    const bucket = this.#bucket("update", context, call);
    return "kind" in bucket ? bucket : this.#set(bucket, call.before);
  }

  async delete(context: ProviderContext, call: DeleteCall): Promise<Outcome> {
    const bucket = this.#bucket("delete", context, call);
    if ("kind" in bucket) return bucket;
    const deleted = await deleteBucket(bucket);
    if (!deleted.ok && deleted.failed.means !== "gone") return deleted.failed;
    const outcome = await this.#goneOrPending(bucket, { sinceMs: context.now() });
    if (deleted.ok || outcome.kind === "gone") return outcome;
    const message = `${this.#definition.types.name} did not take the delete of ${bucket.id}: a read still finds it.`;
    return failure("not_deleted", message, { retryable: true, ended: true, unknownOutcome: true });
  }

  async poll(context: ProviderContext, call: PollCall): Promise<Outcome> {
    const bucket = this.#bucket("poll", context, call);
    if ("kind" in bucket) return unsent("poll", bucket);
    const handle = pollHandleFrom(call.handle, context.now());
    if (call.verb === "delete") return this.#goneOrPending(bucket, handle);
    const { attempt, id } = bucket;
    const outcome = stillPending(attempt, await this.#set(bucket), handle, id);
    if (outcome.kind === "failed") return { ...outcome, id, mendable: true };
    if (outcome.kind !== "gone") return outcome;
    if (context.now() - handle.sinceMs < UNSEEN_GRACE_MS)
      return pending(attempt, handle, { id, note: "not visible yet" });
    const message = `${this.#definition.types.name} accepted ${id}, but it no longer exists: it failed or was deleted by someone else.`;
    return failure("vanished", message);
  }

  /** Whether the bucket of a delete is gone. Where nobody may read it, the answer to the delete counts. */
  async #goneOrPending(bucket: Bucket, handle: PollHandle): Promise<Outcome> {
    const seen = await this.#shown(bucket);
    if (seen.kind === "gone" || (seen.kind === "failed" && !seen.retryable))
      return { kind: "gone" };
    return seen.kind === "failed"
      ? stillPending(bucket.attempt, seen, handle, bucket.id)
      : pending(bucket.attempt, handle, { id: bucket.id, note: "still exists" });
  }

  /**
   * Sets what differs from the properties, and what only `before` had to what a bucket has without it. Everything else
   * stays as it is.
   */
  async #set(bucket: Bucket, before: JsonMap = {}): Promise<Outcome> {
    const { properties } = bucket.attempt;
    for (const setting of this.#service.settings) {
      const { property } = setting;
      if (!Object.hasOwn(properties, property) && !Object.hasOwn(before, property)) continue;
      const wanted = properties[property] ?? null;
      const read = await readSetting(bucket, setting);
      if (!read.ok) return goneOr(read.failed);
      if (isSet(setting, read.value, wanted)) continue;
      const written = await writeSetting(bucket, setting, valueOf(setting, wanted));
      if (!written.ok) return goneOr(written.failed);
    }
    return this.#shown(bucket);
  }

  async #shown(bucket: Bucket): Promise<Outcome> {
    const { id, name, attempt } = bucket;
    const { settings, shown } = this.#service;
    const { region } = attempt.context;
    const outputs: JsonMap = { id, name, region, ...shown(name, region) };
    for (const setting of settings) {
      const read = await readSetting(bucket, setting);
      if (!read.ok) return goneOr(read.failed);
      const value = inSentForm(read.value, attempt.properties[setting.property]);
      if (value !== null) outputs[setting.property] = value;
    }
    return { kind: "done", id, outputs };
  }

  /** The bucket of a call, in its region. */
  #bucket(verb: Answered["verb"], context: ProviderContext, call: Called): Bucket | Failed {
    const definition = this.#definition;
    const { type, host, keysOf, withoutKeys } = this.#service;
    const row = definition.types.rowOf(type);
    if (row === undefined) throw new Error(`${type} has no row`);
    const { name: chosen, properties: given, id, before } = call;
    const properties = chosen === undefined ? given : withName(row, given, chosen);
    const changes = verb === "create" || verb === "update";
    const problem =
      invalidInput(definition, context) ??
      (changes
        ? (regionMistake(definition, row, properties, before) ??
          propertyMistake(row.takes?.shape ?? { properties: {} }, properties))
        : undefined);
    if (problem !== undefined) return problem;
    const keys = keysOf(context.credential);
    if (keys === undefined)
      return failure(
        "no_access_key",
        `The credential has no access key for buckets. ${withoutKeys}`,
        {
          means: "denied",
          fault: "user",
        },
      );
    const attempt: Attempt = { definition, context, row, type, verb, properties };
    const at = id === undefined ? undefined : located(attempt, id);
    if (at?.ok === false) return at.failed;
    const { attempt: placed = attempt, id: own } = at ?? {};
    const { name = own, region = context.region } = placed.properties;
    if (typeof name !== "string" || typeof region !== "string" || !NAME.test(name))
      return failure("invalid_name", NAME_RULE, { means: "invalid", fault: "user" });
    const engineId = placedId(placed, name);
    if (id !== undefined && engineId !== id) return otherId(placed, id, engineId);
    const there = { ...placed, context: { ...context, region } };
    return { attempt: there, id: engineId, name, keys, host };
  }
}

/** What a create has started: its settings are set next. */
function started({ attempt, id }: Bucket): Outcome {
  return { kind: "pending", id, handle: { sinceMs: attempt.context.now() }, afterMs: 1 };
}

function goneOr(failed: Failed): Outcome {
  return failed.means === "gone" ? { kind: "gone" } : failed;
}
