/**
 * The port between the engine and a cloud. The engine knows resources, verbs and outcomes; a provider knows paths,
 * envelopes, signatures and error bodies. Nothing here does I/O.
 */
import type * as z from "zod";
import type { Json, JsonMap } from "#platform/json.ts";
import type { ProviderName } from "#schema/lists/provider-names.ts";

/** A documented property, for editors and checks; the cloud makes the final decision. */
export interface PropertyFacts {
  description: string;
  /** Absent when the property accepts several types. */
  type?: "string" | "integer" | "number" | "boolean" | "object" | "array";
}

/** What the planner needs to know about a resource type. */
export interface TypeFacts {
  /**
   * Paths of properties, at any depth, whose change replaces the object: `cidr`, `settings.tier`, `disks[*].type`;
   * `"*"` means all.
   */
  immutable: readonly string[];
  /** Paths of what is sent but never returned; ignored in drift checks. */
  writeOnly: readonly string[];
  /** Paths of what only the cloud sets, inside properties that are sent: ignored in drift checks and refused in templates. */
  readOnly?: readonly string[];
  /** Required property names, for diagnostics. */
  required: readonly string[];
  /** Paths of outputs that are secrets of the cloud (connection strings, keys): sealed, whoever reads them. */
  secretOutputs?: readonly string[];
  /** Paths of outputs that the cloud shows for a while alone: the state keeps them as long as the object lives. */
  shownOnce?: readonly string[];
  /**
   * Where a property is shown when not under its own name, or in another shape: `size` at `size_slug`, a list of ids at
   * `networks.v4[*].id`. Paths of the property and of the output.
   */
  shownAt?: Readonly<Record<string, string>>;
  /** Paths of texts whose letter case means nothing to the cloud. */
  caseInsensitive?: readonly string[];
  /** Paths of lists whose order means nothing. Absent: drift checks ignore the order of every list. */
  sets?: readonly string[];
  /**
   * The types of the objects that properties name by their ids, by the properties' paths, without the provider; `any`:
   * objects that nobody can tell, for example all with a tag.
   */
  refers?: Readonly<Record<string, string>>;
  /**
   * A create makes several calls, so that an object whose create was not seen to end may lack what the later ones set,
   * although it is usable.
   */
  createdInParts?: true;
  /** The old object must be deleted before its replacement is created, for example because of a unique name. */
  deleteBeforeReplace: boolean;
  /** The path of the property with a name that only one object has at a time. */
  uniqueName?: string;
  /** The property with the object's name, which the engine chooses where the template leaves it out. */
  nameProperty?: string;
  /** Properties that name the object in which this one is: whoever deletes that one deletes this one. */
  location?: readonly string[];
  /**
   * Paths of what only a create takes, each with what to do in place of a change, in a sentence. To leave one out later
   * changes nothing; a change is refused, unless the template says whether to ignore it or to replace the object.
   */
  onlyAtCreate?: Readonly<Record<string, string>>;
  /** Paths of flags that can be set in place, and not be unset: that replaces the object. */
  oneWay?: readonly string[];
  /**
   * Paths of texts that may be sent as the beginning of what the cloud then shows, up to a dot or a hyphen (`1.34` as
   * `1.34.1-do.0`), or as `latest`.
   */
  floating?: readonly string[];
  /** One sentence about the type. */
  description?: string;
  /**
   * What the cloud keeps after a delete (a snapshot, a name, a copy that costs), in a sentence that says how to leave
   * nothing. `unless`: each by itself leaves nothing: values by the paths of their properties, of all items for `[*]`;
   * `true`: any value.
   */
  leaves?: {
    says: string;
    unless?: readonly Readonly<Record<string, true | readonly Json[]>>[];
  };
  /** What the cloud takes as a name, for those that the engine chooses; absent: any. */
  nameRule?: NameRule;
  /** All properties of the type; absent when unknown, so that any is accepted. */
  properties?: Readonly<Record<string, PropertyFacts>>;
  /** The names of all outputs; absent when the cloud may return more, or properties in another form than it takes. */
  outputs?: readonly string[];
  /** Names of outputs that the vendor describes, where `outputs` is absent; the cloud may return more. */
  describedOutputs?: readonly string[];
  /** The properties whose values identify the object, in order; absent: unknown. */
  identifier?: readonly string[];
  /** The version of the vendor's API that these facts are of, where calls name one. */
  version?: string;
  /** The path of the property that sets the object's region. Without a value there, only a target for every region takes it. */
  regionProperty?: string;
  /** How that property names the region: itself, or by one of its zones (`europe-west1-b`, `fra1`). Default: itself. */
  regionShape?: "region" | "zone";
  /**
   * Properties, by their paths, that say where the object is in place of `regionProperty`, or that no region has it: set
   * at all (`true`: it is where the one is that they name), or to one of these values. `true` alone: an object without
   * a region is where its parent is, or in none; the cloud chooses no region for it.
   */
  regionElsewhere?: true | Readonly<Record<string, true | readonly string[]>>;
  /** Paths of maps whose keys name further regions of the object. */
  regionKeys?: readonly string[];
  /** Paths of further properties that name regions: of backups, of copies. Without a value they name none. */
  moreRegions?: readonly string[];
  /**
   * Values, in lower case but meant in any, by the paths of their properties, with which the cloud copies or moves the object to a region
   * that it chooses: only a target for every region takes them. `true`: that of a flag.
   */
  farCopies?: Readonly<Record<string, readonly (string | true)[]>>;
  /**
   * Properties that hand over to code which nobody looks into here, and which may choose regions: by their paths, set at
   * all (`true`), or naming a file of one of these names, in lower case. Only a target for every region takes them, or
   * one whose config says so by the key `allowedBy`.
   */
  unseenRegions?: { at: Readonly<Record<string, true | readonly string[]>>; allowedBy: string };
  /**
   * The cloud takes its keys in a second spelling, with underscores, in which nothing is looked at here: they are
   * refused, except in maps of these names, whose keys are the template's.
   */
  freeKeys?: readonly string[];
  /**
   * Properties, by their paths, that the target sets where the template leaves them out: to its region, or to a key of
   * its config. A type whose cloud chooses a region by itself has one for `regionProperty`.
   */
  defaults?: Readonly<Record<string, { region: true } | { config: string }>>;
  /** The types of all properties and what is nested in them, for checks with line and column; absent: unknown. */
  shape?: ObjectShape;
  /**
   * Paths of properties that the cloud shows in lists, addresses and messages: names, tags, the region. They take no
   * sealed value.
   */
  shown?: readonly string[];
}

/** A name that the engine chooses is made of `[a-z0-9-]` and fits these. */
export interface NameRule {
  /** At least 12. */
  maxLength: number;
  /** Absent: `[a-z0-9-]`. `alphanumeric`: no hyphens. `underscores`: underscores for hyphens. */
  alphabet?: "alphanumeric" | "underscores";
  /** The first character is a letter. */
  letterFirst?: true;
}

/** What a published description says of an object: enough to find a mistake, not to accept everything that is right. */
export interface ObjectShape {
  properties: Readonly<Record<string, ValueShape>>;
  required?: readonly string[];
  /** Members beyond `properties` are right. */
  open?: boolean;
}

export interface ValueShape {
  type?: PropertyFacts["type"];
  enum?: readonly Json[];
  /** Of an object. */
  object?: ObjectShape;
  /** Of each item of an array, or of each value of a map. */
  items?: ValueShape;
  readOnly?: true;
  /** Of a row at whose cloud tenants can share a target: which objects the value can name; absent: any. */
  names?: Named;
}

/**
 * Which objects of the account a value can name. In words: none, because it is a `label` (the object's own name, or a
 * text that the cloud only keeps and shows), an `amount`, a `choice` among what the cloud offers everybody (a region, a
 * size, a version), an `address` (of IP, or a port), or `content` (a script, a key, a command, an address elsewhere).
 * `slug`: none if it begins with a letter; a number would be a private object. `host`: the zone that the host name is in.
 * `zone`: itself. Lists have the only values that name none. `by`: what the property beside it says, by its values; ""
 * is none.
 */
export type Named =
  | "label"
  | "amount"
  | "choice"
  | "address"
  | "content"
  | "slug"
  | "host"
  | "zone"
  | readonly Json[]
  | { by: string; types: Readonly<Record<string, string>> };

/** The environment of a call: built for each run, never stored. */
export interface ProviderContext {
  targetId: string;
  /** The tenant whose objects the calls are for; absent: nobody's. */
  tenantId?: string;
  region: string;
  /** The target's `config`, as set by the tenant. */
  config: JsonMap;
  /** The resolved credential; `null` for providers that need none. */
  credential: Json;
  /**
   * Signs a token of this installation's OpenID issuer that says whose run this is, for this audience; it lives ten
   * minutes. Absent: the target has a stored credential.
   */
  identityToken?: (audience: string) => Promise<string>;
  /** The run or check that those tokens name: a session that was obtained with one serves it alone. */
  identityRun?: string;
  /** The account is the tenant's own, so that whatever it holds is no other tenant's. Absent: it may be shared. */
  ownAccount?: true;
  /** The token of a provider with sessions, in what makes a request. Never stored or logged. */
  session?: Json;
  /** The operator's override of the base URL (`PROVIDER_ENDPOINTS`), if any. */
  endpoint?: string;
  /**
   * The operator's overrides of a provider's hosts by their names in its definition; a host that is not named keeps its
   * own URL. Absent: `endpoint` stands in for all of them.
   */
  endpoints?: Readonly<Record<string, string>>;
  /** Told what an answer says of the rate budget; never throws, and is not waited for. */
  budget?: (seen: RateBudget) => void;
  fetch: (request: Request) => Promise<Response>;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * How a create may be repeated whose outcome is unknown. The engine decides by it when to send the create again and
 * when to look for its object; a provider only does the one or the other.
 */
export interface RepeatFacts {
  /** The longest time after which a request that was sent can still take effect. */
  longestRequestMs: number;
  /**
   * For so long after its first attempt, a repeated create makes no second object: the life of the token at the cloud.
   * 0: never. Infinity: always.
   */
  repeatableMs: number;
  /** `lookUp` can find the object of an earlier attempt. */
  findable: boolean;
  /** For so long after it was made, a look-up may not find an object. Absent: 0. */
  listLagMs?: number;
}

/** What a cloud says of the calls that it still takes from this credential. */
export interface RateBudget {
  /** Calls left until `resetMs`. */
  remaining: number;
  /** When the budget is whole again, epoch milliseconds. */
  resetMs: number;
}

/**
 * What a failed call means, by the provider's word: an answer's status alone does not say it. `gone`: no such object.
 * `exists`: the name is taken. `busy`: the object, or one that uses it, is being changed; the call may succeed later.
 * `stale`: the object has changed since it was read. `throttled`: too many calls. `denied`: the credential may not.
 * `quota`: the account has no room for it. `invalid`: the request is wrong.
 */
export type FailureMeaning =
  | "gone"
  | "exists"
  | "busy"
  | "stale"
  | "throttled"
  | "denied"
  | "quota"
  | "invalid";

/** A refusal that may pass by itself: a new object or grant is not visible everywhere yet. */
export interface Spreading {
  /** The longest time that the cloud takes, milliseconds. */
  withinMs: number;
  /** The cloud makes the missing object itself, so no change of the instance precedes. */
  byCloud?: true;
}

/** The object of one call. */
export interface ResourceCall {
  type: string;
  /** The engine's name for the object: deterministic, so that a lookup after a crash finds it. */
  name: string;
  /** Plain properties, including secrets. */
  properties: JsonMap;
}

/** The result of a provider call. */
export type Outcome =
  /**
   * Done; `outputs` is the object as the provider returns it, without its envelope. `note`: what could not be read of
   * it, and why.
   */
  | { kind: "done"; id: string; outputs: JsonMap; note?: string; requestId?: string }
  /** Accepted but not finished: call `poll`. `handle` is opaque JSON; `id` is set as soon as it is known. */
  | {
      kind: "pending";
      id?: string;
      handle: Json;
      afterMs: number;
      note?: string;
      requestId?: string;
    }
  /** The object does not exist (read, update, look-up) or is deleted (delete). */
  | { kind: "gone"; requestId?: string }
  /**
   * Rejected or lost. `retryable`: the same call may succeed later. `unknownOutcome`: the call may have taken effect
   * (timeout, dropped connection, 5xx), so look before creating again. `afterMs`: the delay the provider requested.
   * `id`: an object exists although the create failed. `unread`: that object could not be read, so it may be usable.
   * `fault`: set with a code that the cloud chose: `user` if it refused the request as such. `ended`: the operation that
   * the call started has ended, so a retry sends the call again; a create made nothing then, unless its outcome is
   * unknown. `mendable`: the object of `id` failed, and an update can mend it.
   */
  | {
      kind: "failed";
      code: string;
      message: string;
      fault?: "user" | "provider";
      means?: FailureMeaning;
      spreads?: Spreading;
      /** The right that the credential lacks, by the cloud's name, if it says so. */
      permission?: string;
      /** The cloud does not know the credential itself: no right mends that. */
      unauthenticated?: true;
      retryable: boolean;
      unknownOutcome: boolean;
      afterMs?: number;
      id?: string;
      unread?: true;
      ended?: true;
      mendable?: true;
      outputs?: JsonMap;
      requestId?: string;
    };

export interface CreateCall extends ResourceCall {
  /** The same for every repetition of the step; sent as the idempotency token if the provider supports one. */
  token: string;
}

export interface LookUpCall extends CreateCall {
  /** Ids of objects that the instance already has: none of them is looked for. */
  known: readonly string[];
  /** When the create was first sent, epoch milliseconds: an object from before it is another's. */
  sentMs?: number;
}

/**
 * `what`: its id in words for an error. `owners`: the object and what it is in; who manages one of them may name it.
 * None: nobody may.
 */
export interface NamedObject {
  what: string;
  owners: readonly { type: string; id: string }[];
  /** `owned`: the first of the owners that somebody manages counts alone. `free`: nobody manages one of them. */
  nearest?: "owned" | "free";
  /** A domain of which all names are meant: no other tenant manages one inside it. */
  around?: { type: string; id: string };
}

export interface UpdateCall extends ResourceCall {
  id: string;
  /** The properties as last applied. */
  before: JsonMap;
  /** An earlier update may or may not have been applied since `before`: everything is sent, and compared with the object. */
  unsure?: true;
  token: string;
  /** As last shown: outputs, and properties with their drift. Says where the object was. Absent: it never was shown. */
  seen?: JsonMap;
}

export interface DeleteCall {
  type: string;
  id: string;
  /** The engine's name for the object. */
  name?: string;
  properties: JsonMap;
  token: string;
  /** As in `UpdateCall`. */
  seen?: JsonMap;
}

export interface ReadCall {
  type: string;
  id: string;
  /** The engine's name for the object; absent for one that is imported or only read. */
  name?: string;
  properties: JsonMap;
  /** As in `UpdateCall`. */
  seen?: JsonMap;
  /** The object counts as in a create: `pending` until it is usable, failed with its id if it never will be. */
  awaitReady?: true;
}

/** Everything `poll` needs, so that a restarted runner can continue polling. */
export interface PollCall {
  type: string;
  verb: "create" | "update" | "delete";
  name: string;
  properties: JsonMap;
  id?: string;
  handle: Json;
  /** Of an update: what it started from, for its further calls. */
  update?: Pick<UpdateCall, "before" | "unsure">;
  /** The token of the change. */
  token?: string;
  /** As in `UpdateCall`. */
  seen?: JsonMap;
}

/** The resource types of a provider, available without loading the code that calls its cloud. */
export interface ProviderTypes {
  name: ProviderName;
  /** Undefined when the provider has no such type. */
  facts(type: string): TypeFacts | undefined;
  /** All type names, `<provider>:<Type>`; only common ones for providers with open types (aws, azure). */
  types(): readonly string[];
  /** True when the provider accepts any well-formed type name. */
  openTypes: boolean;
}

/**
 * `retryable`: the check could not be completed, so nothing is known about the credential. `hint`: what to do, in one
 * sentence or two. `permission`: the right that the credential lacks, by the cloud's name. `afterMs`: when to try again.
 */
export type Verified =
  | { ok: true }
  | {
      ok: false;
      code: string;
      message: string;
      retryable: boolean;
      means?: FailureMeaning;
      hint?: string;
      permission?: string;
      afterMs?: number;
    };

/** Something that an account lacks before objects of some types can be made in it. */
export interface Lack {
  /** A sentence: what is missing. */
  what: string;
  /** What mends it: a command, or a sentence. */
  fix: string;
  /** The types that need it, by the vendor's names. */
  types: string[];
}

/**
 * What an account lacks for some types. `unread`: what could not be looked at, in sentences with the reasons.
 * `throttledMs`: the cloud takes no more calls, for this time or (null) without saying how long.
 */
export interface AccountNeeds {
  lacks: Lack[];
  unread: string[];
  throttledMs?: number | null;
}

/**
 * `nameChanges`: the cloud has no name of it that stays, such as a number. Then an account of another name that has one
 * of the instance's objects is the same; the ids of such a cloud are its own, and no two accounts have the same.
 * `alias`: another name, which follows from the credential alone. It proves the account when the id has changed.
 */
export interface Account {
  kind: "account";
  id: string;
  alias?: string;
  nameChanges?: true;
}

/** A target without a stored credential: the cloud exchanges a token of this installation for one of its own. */
export interface Federation {
  /** The audience of the token; undefined: this config names no identity to assume, so a credential is needed. */
  audience(config: JsonMap): string | undefined;
  /**
   * Whether this stored credential is only the client's own part of the sign-in, which still takes a token. Absent: with a
   * stored credential no token is signed.
   */
  completedBy?(credential: Json): boolean;
  /** What the owner of the cloud's account sets up, so that the identity trusts this target alone. */
  trust(config: JsonMap, issuer: TokenIssuer): TrustSetup;
}

export interface TokenIssuer {
  /** As in `iss`, without a trailing slash. */
  url: string;
  /** As in `sub` of the target's tokens. */
  subject: string;
}

/** `policy`: the document to paste where the cloud has one. `steps`: what to do, in order, each a sentence or a command. */
export interface TrustSetup {
  policy?: JsonMap;
  steps: readonly string[];
}

/**
 * One cloud. Every method makes a bounded number of requests without waiting between them, is safe to repeat, and
 * never throws for an answer of the cloud (a throw is a bug).
 */
export interface Provider extends ProviderTypes {
  /** The schema of the credential that a target's `credentialRef` resolves to. */
  credential: z.ZodType;
  /** The schema of the target config keys that this provider reads; others are ignored. */
  config: z.ZodType;
  /** How a target without a stored credential identifies itself; absent: the cloud takes no tokens of others. */
  federation?: Federation;
  /** Maximum concurrent calls per target within the provider's rate limit. */
  concurrency: number;
  /** The names of its hosts besides the base URL, as `PROVIDER_ENDPOINTS` may name them. */
  hosts?: readonly string[];
  /**
   * The account that the credential opens, by the cloud's own name for it; with the region, where calls see the objects of
   * one region alone. With another account's credential every object seems to be gone: nothing counts as gone, and nothing is made, in an account that is not the one of the state. Absent:
   * calls name their account, and the cloud refuses those of another's credential.
   */
  account?(context: ProviderContext): Promise<Account | Extract<Outcome, { kind: "failed" }>>;
  /**
   * The fetch for a cloud that is reached by a binding of the Worker; absent when it is reached by the network. Not
   * used when the operator overrides the endpoint (`PROVIDER_ENDPOINTS`).
   */
  connect?(bindings: object, targetId: string): ProviderContext["fetch"];
  /** Checks the credential and config with a few requests that change nothing. */
  verify(context: ProviderContext): Promise<Verified>;
  /**
   * What the account lacks for objects of these types (the vendor's names, without a version), by requests that change
   * nothing. Each has the number of objects that are surely made in the context's region. Absent or undefined: it is not
   * looked at.
   */
  needs?(
    context: ProviderContext,
    types: ReadonlyMap<string, number>,
  ): Promise<AccountNeeds | undefined>;
  /** The one spelling of an id that a cloud takes in several. Absent: each text is another id. */
  spelledId?(type: string, id: string): string;
  /** The other objects that the properties name by ids that say themselves what they are of. */
  namedObjects?(context: ProviderContext, call: ResourceCall): readonly NamedObject[];
  /** The id that a create's object will have, if that is known before the call. Absent: it never is. */
  knownId?(context: ProviderContext, call: ResourceCall): string | undefined;
  /** Sends the create. A repetition is safe only as `repeats` says. */
  create(context: ProviderContext, call: CreateCall): Promise<Outcome>;
  /**
   * Looks for the object of a create that was sent before: its outcome, or `gone` if there is none now. Fails with
   * `cannot_tell` if an object exists that may be another's.
   */
  lookUp(context: ProviderContext, call: LookUpCall): Promise<Outcome>;
  repeats(context: ProviderContext, type: string): RepeatFacts;
  read(context: ProviderContext, call: ReadCall): Promise<Outcome>;
  update(context: ProviderContext, call: UpdateCall): Promise<Outcome>;
  delete(context: ProviderContext, call: DeleteCall): Promise<Outcome>;
  poll(context: ProviderContext, call: PollCall): Promise<Outcome>;
  /** Milliseconds after which a step of this verb fails, even if retries are left. */
  timeoutMs(type: string, verb: "create" | "update" | "delete"): number;
}
