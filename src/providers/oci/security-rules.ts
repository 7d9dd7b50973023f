/**
 * The rules of a network security group, all of them as one object: they have calls of their own and ids that nobody
 * chooses. A create adds to a group without rules; one that was cut off goes on where its own rules are. Later changes
 * compare with the rules that are there, so a repetition makes only what is missing.
 */
import { omitted } from "#platform/at-path.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { pollAfterMs } from "#providers/polling.ts";
import type {
  CreateCall,
  LookUpCall,
  Outcome,
  PollCall,
  Provider,
  ProviderContext,
  UpdateCall,
} from "#providers/provider.ts";
import { judgedByTime, timeOf } from "#providers/rest/changes/search.ts";
import type { Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { eachListed } from "#providers/rest/requests/list.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { ociTypes } from "./types.ts";

export const RULES_TYPE = "oci:NetworkSecurityGroupRules";
const GROUP_TYPE = "oci:NetworkSecurityGroup";
/** Rules in one call, at most. */
const BATCH = 25;
const ID = /^ocid1\.networksecuritygroup\.[a-z0-9]{1,10}\.[\w.-]{1,200}$/;

interface RulesCall {
  properties: JsonMap;
  id?: string;
  seen?: JsonMap;
}

interface ShownRule {
  id: string;
  /** What it says, as text that is equal for equal rules. */
  text: string;
  rule: JsonMap;
  /** How far Oracle's clock is ahead of ours. */
  skewMs?: number;
}

type Verb = "create" | "read" | "update" | "delete";

/** A rule without what only Oracle sets. */
function said(rule: JsonMap): JsonMap {
  return omitted(rule, ["id", "isValid", "timeCreated"]);
}

/** Without what is empty, and what is so by default. */
function ruleText(rule: JsonMap): string {
  const { isStateless, sourceType, destinationType, description, ...rest } = said(rule);
  return canonicalJson(
    withoutNulls({
      ...rest,
      ...(isStateless === true ? { isStateless } : {}),
      ...(sourceType === "CIDR_BLOCK" ? {} : { sourceType: sourceType ?? null }),
      ...(destinationType === "CIDR_BLOCK" ? {} : { destinationType: destinationType ?? null }),
      ...(description === "" ? {} : { description: description ?? null }),
    }),
  );
}

function withoutNulls(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === null ? [] : [[key, withoutNulls(one)]])),
  );
}

function wantedIn({ securityRules }: JsonMap): JsonMap[] {
  return Array.isArray(securityRules) ? securityRules.filter(isJsonMap) : [];
}

function missingOf({ properties }: RulesCall, shown: readonly ShownRule[]): JsonMap[] {
  const there = new Set(shown.map(({ text }) => text));
  const wanted = new Map(wantedIn(properties).map((rule) => [ruleText(rule), rule]));
  return [...wanted].flatMap(([text, rule]) => (there.has(text) ? [] : [rule]));
}

/** Of a look-up: the create that it looks for may have taken effect. */
function unknown(failed: Failed): Failed {
  return { ...failed, unknownOutcome: true };
}

function batches<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / BATCH) }, (_, at) =>
    all.slice(at * BATCH, (at + 1) * BATCH),
  );
}

/** A create that has added rules goes on later: it is not sent again. */
function goesOn(context: ProviderContext, id: string, failed: Failed): Outcome | undefined {
  if (!failed.retryable && !failed.unknownOutcome) return undefined;
  const nowMs = context.now();
  const afterMs = pollAfterMs({ sinceMs: nowMs, nowMs }, failed.afterMs);
  return { kind: "pending", id, handle: { sinceMs: nowMs }, afterMs, note: failed.message };
}

export class SecurityRules {
  readonly #definition: RestProviderDefinition;
  readonly #provider: Provider;

  constructor(definition: RestProviderDefinition, provider: Provider) {
    this.#definition = definition;
    this.#provider = provider;
  }

  /** The engine's id: the group's. Undefined also where the properties name another group: who may name the one may not have the other. */
  idOf({ properties, id }: RulesCall): string | undefined {
    const named = properties["networkSecurityGroupId"];
    const group = id ?? named;
    if (named !== undefined && named !== group) return undefined;
    return typeof group === "string" && ID.test(group) ? group : undefined;
  }

  /** Gone: the group has no rules. */
  async read(context: ProviderContext, call: RulesCall): Promise<Outcome> {
    const shown = await this.#shown(context, call, "read");
    if (!Array.isArray(shown)) return shown;
    return shown.length === 0 ? { kind: "gone" } : this.#done(context, call, shown);
  }

  /** Adds the rules to a group that has none: whose the rules of another are, Oracle does not show. */
  async create(context: ProviderContext, call: CreateCall): Promise<Outcome> {
    const shown = await this.#shown(context, call, "create");
    if (!Array.isArray(shown)) return shown;
    if (shown.length > 0) {
      const message = `The group ${this.idOf(call)} has rules already. Import them by the group's id, or delete them.`;
      return failure("already_exists", message, { means: "exists", fault: "user" });
    }
    return this.#addMissing(context, call, shown);
  }

  /** The rules of an earlier attempt are all from since then, and in the template. */
  async lookUp(context: ProviderContext, call: LookUpCall): Promise<Outcome> {
    const shown = await this.#shown(context, call, "create");
    if (!Array.isArray(shown)) return shown.kind === "failed" ? unknown(shown) : shown;
    if (shown.length === 0) return { kind: "gone" };
    const wanted = new Set(wantedIn(call.properties).map(ruleText));
    const { sentMs } = call;
    const isOurs = shown.every(
      ({ text, rule, skewMs }) =>
        sentMs !== undefined &&
        wanted.has(text) &&
        judgedByTime(timeOf(rule["timeCreated"]), sentMs, skewMs) === "ours",
    );
    if (isOurs) return this.#addMissing(context, call, shown);
    const message = `The group ${this.idOf(call)} has rules that an earlier request of this step did not add. Import them by the group's id, or delete them.`;
    return unknown(failure("cannot_tell", message));
  }

  /** Goes on with a create. */
  async poll(context: ProviderContext, call: PollCall): Promise<Outcome> {
    if (call.verb !== "create")
      return failure("internal", "Rules are changed at once: nothing is polled.");
    const shown = await this.#shown(context, call, "read");
    return Array.isArray(shown) ? this.#addMissing(context, call, shown) : shown;
  }

  async update(context: ProviderContext, call: UpdateCall): Promise<Outcome> {
    const shown = await this.#shown(context, call, "update");
    return Array.isArray(shown) ? this.#set(context, call, shown) : shown;
  }

  async remove(context: ProviderContext, call: RulesCall): Promise<Outcome> {
    const shown = await this.#shown(context, call, "delete");
    if (!Array.isArray(shown)) return shown;
    const failed = await this.#removeAll(context, call, "delete", shown);
    return failed ?? { kind: "gone" };
  }

  /** Adds what is missing. What fails after some of it was added is due once more. */
  async #addMissing(
    context: ProviderContext,
    call: RulesCall,
    shown: readonly ShownRule[],
  ): Promise<Outcome> {
    const id = this.idOf(call) ?? "";
    let isBegun = shown.length > 0;
    for (const securityRules of batches(missingOf(call, shown))) {
      const failed = await this.#send(context, call, "create", "addSecurityRules", {
        securityRules,
      });
      if (failed !== undefined && !isBegun) return failed;
      if (failed !== undefined)
        return goesOn(context, id, failed) ?? { ...failed, id, mendable: true };
      isBegun = true;
    }
    const made = await this.#doneNow(context, call);
    if (made.kind !== "failed") return made;
    return goesOn(context, id, made) ?? { ...made, id, unread: true };
  }

  /** Adds what is missing, then removes what is too many: traffic that stays allowed is never cut off. */
  async #set(
    context: ProviderContext,
    call: RulesCall,
    shown: readonly ShownRule[],
  ): Promise<Outcome> {
    const wanted = new Set(wantedIn(call.properties).map(ruleText));
    const seen = new Set<string>();
    const extra = shown.filter(({ text }) => {
      const stays = wanted.has(text) && !seen.has(text);
      seen.add(text);
      return !stays;
    });
    for (const securityRules of batches(missingOf(call, shown))) {
      const failed = await this.#send(context, call, "update", "addSecurityRules", {
        securityRules,
      });
      if (failed !== undefined) return failed;
    }
    return (await this.#removeAll(context, call, "update", extra)) ?? this.#doneNow(context, call);
  }

  async #doneNow(context: ProviderContext, call: RulesCall): Promise<Outcome> {
    const now = await this.#shown(context, call, "read");
    return Array.isArray(now) ? this.#done(context, call, now) : now;
  }

  async #removeAll(
    context: ProviderContext,
    call: RulesCall,
    verb: Verb,
    rules: readonly ShownRule[],
  ): Promise<Failed | undefined> {
    for (const some of batches(rules)) {
      const securityRuleIds = some.map(({ id }) => id);
      const body = { securityRuleIds };
      const failed = await this.#send(context, call, verb, "removeSecurityRules", body);
      if (failed !== undefined) return failed;
    }
    return undefined;
  }

  async #send(
    context: ProviderContext,
    call: RulesCall,
    verb: Verb,
    action: string,
    body: JsonMap,
  ): Promise<Failed | undefined> {
    const result = await sendRequest(this.#attempt(context, call, verb), {
      method: "POST",
      path: `/20160918/networkSecurityGroups/${this.idOf(call) ?? ""}/actions/${action}`,
      filled: true,
      body,
    });
    return result.ok ? undefined : result.failed;
  }

  async #shown(
    context: ProviderContext,
    call: RulesCall,
    verb: Verb,
  ): Promise<ShownRule[] | Outcome> {
    const id = this.idOf(call);
    if (id === undefined)
      return failure(
        "invalid_id",
        "Rules need the OCID of a network security group, the same as their id and as networkSecurityGroupId.",
        { means: "invalid", fault: "user" },
      );
    const shown: ShownRule[] = [];
    const attempt = this.#attempt(context, { ...call, id }, "read");
    const failed = await eachListed(attempt, {}, ({ id: ruleId, object: rule }, skewMs) => {
      if (ruleId !== undefined && rule !== undefined)
        shown.push({
          id: ruleId,
          text: ruleText(rule),
          rule,
          ...(skewMs === undefined ? {} : { skewMs }),
        });
      return false;
    });
    if (failed === undefined) return shown;
    const known = { ...failed, unknownOutcome: false };
    if (failed.means !== "denied" || verb === "create") return known;
    // The group's own list tells whether the group is gone.
    const group = await this.#group(context, call, id);
    return group.kind === "gone" ? group : known;
  }

  #attempt(context: ProviderContext, call: RulesCall, verb: Verb): Attempt {
    const row = ociTypes.rowOf(RULES_TYPE);
    const networkSecurityGroupId = this.idOf(call) ?? "";
    const properties = { ...call.properties, networkSecurityGroupId };
    if (row === undefined) throw new Error(`${RULES_TYPE} has no row`);
    return { definition: this.#definition, context, row, type: RULES_TYPE, verb, properties };
  }

  /** `compartmentId` is the group's: it says where to look when the group is not shown. */
  async #done(
    context: ProviderContext,
    call: RulesCall,
    shown: readonly ShownRule[],
  ): Promise<Outcome> {
    const id = this.idOf(call) ?? "";
    const securityRules = shown.map(({ rule }) => withoutNulls(said(rule)));
    const group = await this.#group(context, call, id);
    const { compartmentId } = group.kind === "done" ? group.outputs : {};
    const at = compartmentId === undefined ? {} : { compartmentId };
    return { kind: "done", id, outputs: { id, networkSecurityGroupId: id, securityRules, ...at } };
  }

  #group(context: ProviderContext, { seen }: RulesCall, id: string): Promise<Outcome> {
    const last = seen === undefined ? {} : { seen };
    return this.#provider.read(context, { type: GROUP_TYPE, id, properties: {}, ...last });
  }
}
