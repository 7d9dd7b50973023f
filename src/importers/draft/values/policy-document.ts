/** The document of Terraform's `aws_iam_policy_document`, with the documents that it includes. */
import { asText } from "#importers/evaluate/decided.ts";
import { blocksIn } from "#importers/evaluate/each-turn.ts";
import type { Bound, Scope } from "#importers/evaluate/scope.ts";
import type { Expression, Member, ObjectExpression } from "#importers/expression.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

/** Reads the values of a document. Undefined: the draft cannot express one. */
export interface PolicyReader {
  /** Null: the value is not set. */
  convert: (value: Expression, scope: Scope) => Json | undefined;
  /** A document that another one includes. */
  included: (of: Bound) => JsonMap | undefined;
}

const lists: Readonly<Record<string, string>> = {
  actions: "Action",
  not_actions: "NotAction",
  resources: "Resource",
  not_resources: "NotResource",
};

/** Undefined: the document, or one that it includes, is computed. */
export function policyDocument(
  { members }: ObjectExpression,
  scope: Scope,
  reader: PolicyReader,
): JsonMap | undefined {
  const block: Block = { members, scope, reader };
  const statements = blocksOf(block, "statement")?.map(statementOf);
  const own = mapOf([
    ["Version", valueOf(block, "version"), "2012-10-17"],
    ["Id", valueOf(block, "policy_id")],
    ["Statement", statements?.every((one) => one !== undefined) === true ? statements : undefined],
  ]);
  const before = includedIn(block, ["source_json", "source_policy_documents"]);
  const after = includedIn(block, ["override_json", "override_policy_documents"]);
  if (own === undefined || before === undefined || after === undefined) return undefined;
  return merged([...before, own, ...after]);
}

/** A block of the source, and the means to read its values. */
interface Block {
  members: readonly Member[];
  scope: Scope;
  reader: PolicyReader;
}

function statementOf(block: Block): JsonMap | undefined {
  return mapOf([
    ["Sid", valueOf(block, "sid")],
    ["Effect", valueOf(block, "effect"), "Allow"],
    ...Object.entries(lists).map(([name, ours]): Entry => [ours, valueOf(block, name)]),
    ["Principal", principalsOf(block, "principals")],
    ["NotPrincipal", principalsOf(block, "not_principals")],
    ["Condition", conditionsOf(block)],
  ]);
}

/** Undefined: the principals are computed. Null: there are none. */
function principalsOf(block: Block, name: string): Json | undefined {
  const found = new Map<string, Block[]>();
  for (const one of blocksOf(block, name) ?? [undefined]) {
    const type = one && textOf(one, "type");
    if (one === undefined || type === undefined) return undefined;
    const same = found.get(type);
    if (same === undefined) found.set(type, [one]);
    else same.push(one);
  }
  if (found.has("*") && found.size === 1) return "*";
  return found.size === 0 ? null : joinedIn(found, "identifiers");
}

function conditionsOf(block: Block): Json | undefined {
  const found = new Map<string, Map<string, Block[]>>();
  for (const one of blocksOf(block, "condition") ?? [undefined]) {
    const test = one && textOf(one, "test");
    const variable = one && textOf(one, "variable");
    if (one === undefined || test === undefined || variable === undefined) return undefined;
    const own = found.get(test) ?? new Map<string, Block[]>();
    const same = own.get(variable);
    if (same === undefined) found.set(test, own.set(variable, [one]));
    else same.push(one);
  }
  if (found.size === 0) return null;
  return mapOf([...found].map(([test, own]): Entry => [test, joinedIn(own, "values")]));
}

/** For each key, the lists of its blocks as one. */
function joinedIn(found: ReadonlyMap<string, readonly Block[]>, name: string): JsonMap | undefined {
  return mapOf([...found].map(([key, blocks]): Entry => [key, joined(blocks, name) ?? undefined]));
}

function joined(blocks: readonly Block[], name: string): Json | undefined {
  const [first, ...others] = blocks;
  if (first === undefined || others.length === 0) return first && valueOf(first, name);
  const all = blocks.map((one) => valueOf(one, name));
  if (all.every((one) => Array.isArray(one))) return all.flat();
  const args = blocks.flatMap((one) => memberOf(one, name) ?? []);
  const isOfOne = others.every(({ scope }) => scope === first.scope);
  return isOfOne && args.length === blocks.length
    ? first.reader.convert({ kind: "call", name: "concat", args, line: 0 }, first.scope)
    : undefined;
}

/** The documents that the arguments include, in order. Undefined: one is computed. */
function includedIn(block: Block, names: readonly string[]): JsonMap[] | undefined {
  const { scope, reader } = block;
  const { decided } = scope;
  const found = names.flatMap((name): readonly (Bound | undefined)[] => {
    const given = memberOf(block, name);
    if (given === undefined) return [];
    const bound = decided.bound(given, scope);
    if (name.endsWith("_json")) return [bound];
    const list = decided.decide(bound);
    return list?.kind === "list" ? list.items : [undefined];
  });
  const documents = found.map((of) => {
    const value = of && decided.decide(of);
    const isLeftOut = value?.kind === "literal" && (value.value === null || value.value === "");
    return of && (isLeftOut ? {} : reader.included(of));
  });
  return documents.every((one) => one !== undefined)
    ? documents.filter((one) => Object.keys(one).length > 0)
    : undefined;
}

/**
 * The documents as one, as Terraform merges them: a statement replaces an earlier one of the same `Sid`. Undefined: a
 * `Sid` is computed.
 */
function merged(documents: readonly JsonMap[]): JsonMap | undefined {
  const [first] = documents;
  if (first === undefined || documents.length === 1) return first;
  const statements: JsonMap[] = [];
  const places = new Map<Json, number>();
  const of: JsonMap = {};
  let hasComputed = false;
  for (const document of documents) {
    const own = statementsIn(document);
    const sids = own.flatMap(({ Sid: sid }) => (sid === undefined ? [] : [sid]));
    const isMixed = places.size > 0 && sids.length > 0;
    hasComputed ||= sids.some((sid) => !isPlain(sid));
    if (isMixed && hasComputed) return undefined;
    const before = new Map(own.map(({ Sid: sid = null }) => [sid, places.get(sid)]));
    for (const statement of own) {
      const { Sid: sid = null } = statement;
      const at = before.get(sid) ?? statements.length;
      statements[at] = statement;
      if (typeof sid === "string") places.set(sid, at);
    }
    const { Version: version, Id: id } = document;
    const { Version: known } = of;
    const isLater = typeof known !== "string" || (typeof version === "string" && version > known);
    if (typeof version === "string" && isLater) of["Version"] = version;
    if (id !== undefined) of["Id"] = id;
  }
  return { ...of, Statement: statements };
}

function statementsIn({ Statement: given = [] }: JsonMap): JsonMap[] {
  return (Array.isArray(given) ? given : [given]).filter(isJsonMap);
}

function isPlain(sid: Json): boolean {
  return typeof sid === "string" && !sid.includes("${");
}

/** Undefined: the blocks are computed. */
function blocksOf(block: Block, name: string): Block[] | undefined {
  const { scope, reader } = block;
  const given = memberOf(block, name);
  if (given === undefined) return [];
  const bound = scope.decided.bound(given, scope);
  const blocks: readonly Pick<Bound, "expression" | "scope">[] =
    given.kind === "list"
      ? given.items.map((expression) => ({ expression, scope }))
      : given.kind === "call" && given.name === "{}"
        ? blocksIn(bound, scope.decided)
        : [bound];
  const found = blocks.map(({ expression, scope: own }) =>
    expression.kind === "object" ? { members: expression.members, scope: own, reader } : undefined,
  );
  return found.every((one) => one !== undefined) ? found : undefined;
}

function textOf(block: Block, name: string): string | undefined {
  const given = memberOf(block, name);
  const { decided } = block.scope;
  return given && asText(decided.decide(decided.bound(given, block.scope)));
}

/** Null: the member is missing or empty. */
function valueOf(block: Block, name: string): Json | undefined {
  const given = memberOf(block, name);
  const made = given === undefined ? null : block.reader.convert(given, block.scope);
  return Array.isArray(made) && made.length === 0 ? null : made && withVariables(made);
}

function memberOf({ members }: Block, name: string): Expression | undefined {
  const given = members.find((member) => member.name === name)?.value;
  return given === undefined || isEmpty(given) ? undefined : given;
}

function isEmpty(given: Expression): boolean {
  if (given.kind === "list") return given.items.length === 0;
  return given.kind === "literal" && (given.value === null || given.value === "");
}

/** `&{aws:username}` is IAM's `${aws:username}`, escaped from Terraform. Expressions of the draft stay. */
function withVariables(made: Json): Json {
  if (typeof made === "string")
    return made.replaceAll(/\$\$\{|\$\{[^}]*\}|&\{/g, (all) => (all === "&{" ? "$${" : all));
  return Array.isArray(made) ? made.map(withVariables) : made;
}

/** The name and value of a member, and the value where that one is not set. */
type Entry = readonly [string, Json | undefined, Json?];

/** Undefined: a value is computed. */
function mapOf(entries: readonly Entry[]): JsonMap | undefined {
  const made: JsonMap = {};
  for (const [name, value, otherwise] of entries) {
    if (value === undefined) return undefined;
    const own = value === null ? otherwise : value;
    if (own !== undefined) made[name] = own;
  }
  return made;
}
