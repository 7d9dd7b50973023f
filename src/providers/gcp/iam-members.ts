/**
 * Rights in the policies of objects. A policy is one document with an `etag`, which many write: every change reads it,
 * changes one member of one role, and sends it back on the condition that nobody has changed it since. Bindings with a
 * condition are others', and stay as they are.
 *
 * Nothing in a policy says who gave a right. So a create only reads that it is missing; the poll gives it, once that is
 * in the journal. Whatever a create finds is somebody else's, also after a crash.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Outcome, ProviderContext } from "#providers/provider.ts";
import type { Failed, RequestSpec, RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { parseTypeName } from "#providers/type-name.ts";
import { policies, type PolicyCalls } from "./iam-member-rows.ts";

/** Reads and writes of a policy that others change at the same time, in one call. */
const MAX_TRIES = 3;
/** The version that has conditions: an older one would lose those of others. */
const POLICY_VERSION = 3;

export interface MemberCall {
  type: string;
  properties: JsonMap;
  id?: string;
}

interface Member {
  calls: PolicyCalls;
  resource: string;
  role: string;
  member: string;
}

type Verb = "create" | "read" | "delete";

export function isMemberType(type: string): boolean {
  return Object.hasOwn(policies, parseTypeName(type)?.name ?? "");
}

/** The engine's id: the object, the role and the member. */
export function memberId(context: ProviderContext, call: MemberCall): string | undefined {
  const found = memberOf(context, call);
  return "kind" in found ? undefined : idOf(found);
}

function idOf({ resource, role, member }: Member): string {
  return `${resource} ${role} ${member}`;
}

const ROLE = /^(?:(?:projects|organizations)\/[\w.:-]{1,100}\/)?roles\/[\w.]{1,100}$/;
const MEMBER = /^[a-z][A-Za-z]*(?::[^\s]{1,500})?$/;
/** Members whose name is an address. A service account of Kubernetes has brackets. */
const ADDRESS = /^(user|group|domain|serviceAccount):([^[\]]+)$/;

/** One spelling of a member: letter case means nothing in an address, and something in every other name. */
function spelled(member: string): string {
  return member.replace(ADDRESS, (_, kind: string, at: string) => `${kind}:${at.toLowerCase()}`);
}
const RESOURCE = /^[\w.:@-]+(?:\/[\w.:@-]+)*$/;

function memberOf(
  { config }: ProviderContext,
  { type, properties, id }: MemberCall,
): Member | Failed {
  const calls = policies[parseTypeName(type)?.name ?? ""];
  if (calls === undefined) throw new Error(`${type} is no right`);
  const { on } = calls;
  const project = config["project"];
  const parts = id?.split(" ");
  const own = typeof project === "string" ? `projects/${project}` : undefined;
  const [resource, role, member] = parts ?? [
    on === undefined ? own : properties[on],
    properties["role"],
    properties["member"],
  ];
  if (
    (parts !== undefined && parts.length !== 3) ||
    typeof resource !== "string" ||
    typeof role !== "string" ||
    typeof member !== "string" ||
    !fits(RESOURCE, resource) ||
    !ROLE.test(role) ||
    !MEMBER.test(member)
  )
    return failure(
      "invalid_member",
      `A right needs ${on === undefined ? "a project in the target's config" : `a ${on}, by its id`}, a role such as roles/run.invoker, and a member such as allUsers or serviceAccount:<address>.`,
      { fault: "user", means: "invalid" },
    );
  const isElsewhere =
    on === undefined
      ? resource !== own
      : resource.startsWith("projects/") && !within(resource, own);
  if (isElsewhere)
    return failure(
      "invalid_id",
      `The right is on ${resource}, which is not in the project of the target.`,
      { fault: "user" },
    );
  const found: Member = { calls, resource, role, member: spelled(member) };
  return id === undefined || id === idOf(found)
    ? found
    : failure("other_id", `The right ${id} has another id: use ${idOf(found)}.`, { fault: "user" });
}

function fits(pattern: RegExp, resource: string): boolean {
  return pattern.test(resource) && resource.split("/").every((one) => one !== "." && one !== "..");
}

function within(resource: string, project: string | undefined): boolean {
  return project !== undefined && resource.startsWith(`${project}/`);
}

type PolicyRead = { ok: true; policy: JsonMap } | { ok: false; failed: Failed };

export class IamMembers {
  readonly #definition: RestProviderDefinition;

  constructor(definition: RestProviderDefinition) {
    this.#definition = definition;
  }

  async read(context: ProviderContext, call: MemberCall): Promise<Outcome> {
    const member = memberOf(context, call);
    if ("kind" in member) return member;
    const read = await this.#policy(context, call.type, member, "read");
    if (!read.ok) return read.failed.means === "gone" ? { kind: "gone" } : read.failed;
    return has(read.policy, member) ? done(call, member) : { kind: "gone" };
  }

  /** Looks that the right is missing, so that `give` may give it. One that is there is somebody's. */
  async create(context: ProviderContext, call: MemberCall): Promise<Outcome> {
    const member = memberOf(context, call);
    if ("kind" in member) return member;
    const read = await this.#policy(context, call.type, member, "create");
    if (!read.ok) return read.failed;
    if (has(read.policy, member)) return alreadyGiven(member);
    return { kind: "pending", handle: { sinceMs: context.now() }, afterMs: 1 };
  }

  /** Gives the right that a create found missing. One that is there by now is from an earlier poll. */
  async give(context: ProviderContext, call: MemberCall): Promise<Outcome> {
    const member = memberOf(context, call);
    if ("kind" in member) return member;
    let wasSent = false;
    return this.#change(context, call, member, "create", (policy) => {
      if (!has(policy, member)) {
        wasSent = true;
        return withMember(policy, member);
      }
      // Sent and refused as stale, as somebody else was faster.
      return wasSent ? alreadyGiven(member) : done(call, member);
    });
  }

  /** What a create whose outcome is unknown has made: nothing shows who gave a right that is there. */
  async lookUp(context: ProviderContext, call: MemberCall): Promise<Outcome> {
    const found = await this.read(context, call);
    if (found.kind !== "done") return found;
    const message = `The right "${found.id}" is there, and nothing shows whether this step gave it. If it did, import it or take it away at Google Cloud.`;
    return failure("cannot_tell", message, { unknownOutcome: true });
  }

  /** Takes the right away, and nothing else. */
  async remove(context: ProviderContext, call: MemberCall): Promise<Outcome> {
    const member = memberOf(context, call);
    if ("kind" in member) return member;
    const outcome = await this.#change(context, call, member, "delete", (policy) =>
      has(policy, member) ? withoutMember(policy, member) : { kind: "gone" },
    );
    if (outcome.kind === "failed" && outcome.means === "gone") return { kind: "gone" };
    return outcome.kind === "done" ? { kind: "gone" } : outcome;
  }

  async #change(
    context: ProviderContext,
    call: MemberCall,
    member: Member,
    verb: "create" | "delete",
    next: (policy: JsonMap) => JsonMap | Outcome,
  ): Promise<Outcome> {
    for (let tries = 1; ; tries += 1) {
      const read = await this.#policy(context, call.type, member, verb);
      if (!read.ok) return read.failed;
      const changed = next(read.policy);
      if (isOutcome(changed)) return changed;
      const sent = await this.#send(context, call.type, verb, writeOf(member, changed));
      if (sent.ok) return done(call, member);
      if (sent.failed.means !== "stale" || tries === MAX_TRIES) return sent.failed;
    }
  }

  async #policy(
    context: ProviderContext,
    type: string,
    member: Member,
    verb: Verb,
  ): Promise<PolicyRead> {
    const read = await this.#send(context, type, "read", readOf(member));
    if (!read.ok) return verb === "create" ? { ok: false, failed: notThere(read.failed) } : read;
    const { policy } = read;
    if (verb === "read" || typeof policy["etag"] === "string") return read;
    const message =
      "Google answered with a policy without an etag, so it cannot be changed safely.";
    return { ok: false, failed: failure("invalid_answer", message, { retryable: true }) };
  }

  async #send(
    context: ProviderContext,
    type: string,
    verb: Verb,
    spec: RequestSpec,
  ): Promise<PolicyRead> {
    const definition = this.#definition;
    const row = { path: "/", update: "none" } as const;
    const attempt = { definition, context, row, type, verb, properties: {} };
    const result = await sendRequest(attempt, { ...spec, verb });
    if (!result.ok) return result;
    const { json } = result.answer;
    if (json !== undefined && isJsonMap(json)) return { ok: true, policy: json };
    const message = "Google answered with something that is not a policy.";
    return { ok: false, failed: failure("invalid_answer", message, { retryable: true }) };
  }
}

/** What has the policy is not there: nothing was made. */
function notThere(failed: Failed): Failed {
  return failed.means === "gone" ? { ...failed, means: "invalid", fault: "user" } : failed;
}

function alreadyGiven(member: Member): Outcome {
  const message = `${member.member} has ${member.role} on ${member.resource} already, not by this step, and a destroy would take it away. Import it as "${idOf(member)}", or leave it out.`;
  return failure("already_exists", message, { means: "exists", fault: "user" });
}

function done(call: MemberCall, member: Member): Outcome {
  const { resource, role, calls } = member;
  const id = idOf(member);
  const sent = call.properties["member"];
  const who = typeof sent === "string" && spelled(sent) === member.member ? sent : member.member;
  const on = calls.on === undefined ? {} : { [calls.on]: call.properties[calls.on] ?? resource };
  return { kind: "done", id, outputs: { id, ...on, role, member: who } };
}

function readOf({ calls, resource }: Member): RequestSpec {
  const { host, path, read, put } = calls;
  const at = path.replace("{}", () => encoded(resource));
  const version = String(POLICY_VERSION);
  const of = { host, filled: true, method: read } as const;
  if (put === true) return { ...of, path: at, query: { optionsRequestedPolicyVersion: version } };
  return read === "GET"
    ? { ...of, path: `${at}:getIamPolicy`, query: { "options.requestedPolicyVersion": version } }
    : {
        ...of,
        path: `${at}:getIamPolicy`,
        body: { options: { requestedPolicyVersion: POLICY_VERSION } },
      };
}

function writeOf({ calls, resource }: Member, changed: JsonMap): RequestSpec {
  const { host, path, put } = calls;
  const at = path.replace("{}", () => encoded(resource));
  const policy: JsonMap = { ...changed, version: POLICY_VERSION };
  return put === true
    ? { host, filled: true, method: "PUT", path: at, body: policy }
    : { host, filled: true, method: "POST", path: `${at}:setIamPolicy`, body: { policy } };
}

function encoded(resource: string): string {
  return resource.split("/").map(encodeURIComponent).join("/");
}

function isOutcome(value: JsonMap | Outcome): value is Outcome {
  const { kind } = value;
  return kind === "failed" || kind === "gone" || kind === "done";
}

function bindingsIn({ bindings }: JsonMap): JsonMap[] {
  return Array.isArray(bindings) ? bindings.filter(isJsonMap) : [];
}

function isOf({ role, condition }: JsonMap, member: Member): boolean {
  return role === member.role && (condition === undefined || condition === null);
}

function membersIn({ members }: JsonMap): Json[] {
  return Array.isArray(members) ? members : [];
}

function isMember(shown: Json, { member }: Member): boolean {
  return typeof shown === "string" && spelled(shown) === member;
}

function has(policy: JsonMap, member: Member): boolean {
  return bindingsIn(policy).some(
    (one) => isOf(one, member) && membersIn(one).some((who) => isMember(who, member)),
  );
}

function withMember(policy: JsonMap, member: Member): JsonMap {
  const bindings = bindingsIn(policy);
  const at = bindings.findIndex((one) => isOf(one, member));
  const known = bindings[at];
  const added: JsonMap = {
    ...known,
    role: member.role,
    members: [...(known === undefined ? [] : membersIn(known)), member.member],
  };
  return {
    ...policy,
    bindings: known === undefined ? [...bindings, added] : bindings.with(at, added),
  };
}

function withoutMember(policy: JsonMap, member: Member): JsonMap {
  const bindings = bindingsIn(policy).flatMap((one) => {
    if (!isOf(one, member)) return [one];
    const members = membersIn(one).filter((who) => !isMember(who, member));
    return members.length === 0 ? [] : [{ ...one, members }];
  });
  return { ...policy, bindings };
}
