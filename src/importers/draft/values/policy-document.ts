/** The document of Terraform's `aws_iam_policy_document`, as a value. */
import {
  type Expression,
  literal,
  type Member,
  type ObjectExpression,
  withParts,
} from "#importers/expression.ts";

const merging: ReadonlySet<string> = new Set([
  "source_policy_documents",
  "override_policy_documents",
  "source_json",
  "override_json",
]);
const lists: Readonly<Record<string, string>> = {
  actions: "Action",
  not_actions: "NotAction",
  resources: "Resource",
  not_resources: "NotResource",
};

/** Undefined: the document is computed, or includes other documents. */
export function policyDocument(settings: ObjectExpression): Expression | undefined {
  const { members } = settings;
  if (members.some(({ name, value }) => merging.has(name) && !isEmpty(value))) return undefined;
  const statements = blocksIn(members, "statement")?.map(statementOf);
  if (statements === undefined || !statements.every((one) => one !== undefined)) return undefined;
  const id = valueOf(members, "policy_id");
  const document = objectOf([
    ["Version", valueOf(members, "version") ?? literal("2012-10-17")],
    ["Id", id],
    ["Statement", { kind: "list", items: statements }],
  ]);
  return withVariables(document);
}

function statementOf({ members }: ObjectExpression): Expression | undefined {
  const principals = principalsOf(members, "principals");
  const others = principalsOf(members, "not_principals");
  const conditions = conditionsOf(members);
  if (principals === undefined || others === undefined || conditions === undefined)
    return undefined;
  return objectOf([
    ["Sid", valueOf(members, "sid")],
    ["Effect", valueOf(members, "effect") ?? literal("Allow")],
    ...Object.entries(lists).map(([name, ours]) => [ours, valueOf(members, name)] as const),
    ["Principal", principals],
    ["NotPrincipal", others],
    ["Condition", conditions],
  ]);
}

/** Undefined: the principals are computed. Null: there are none. */
function principalsOf(members: readonly Member[], name: string): Expression | null | undefined {
  const found = new Map<string, Expression[]>();
  for (const block of blocksIn(members, name) ?? [undefined]) {
    const type = textOf(block?.members, "type");
    const identifiers = block && valueOf(block.members, "identifiers");
    if (type === undefined || identifiers == null) return undefined;
    found.set(type, [...(found.get(type) ?? []), identifiers]);
  }
  const everyone = found.get("*");
  if (everyone !== undefined && found.size === 1) return literal("*");
  return objectOrNull([...found].map(([type, ids]) => [type, joinedLists(ids)] as const));
}

function conditionsOf(members: readonly Member[]): Expression | null | undefined {
  const found = new Map<string, Map<string, Expression[]>>();
  for (const block of blocksIn(members, "condition") ?? [undefined]) {
    const test = textOf(block?.members, "test");
    const variable = textOf(block?.members, "variable");
    const values = block && valueOf(block.members, "values");
    if (test === undefined || variable === undefined || values == null) return undefined;
    const own = found.get(test) ?? new Map<string, Expression[]>();
    found.set(test, own.set(variable, [...(own.get(variable) ?? []), values]));
  }
  return objectOrNull(
    [...found].map(([test, own]) => [
      test,
      objectOf([...own].map(([variable, values]) => [variable, joinedLists(values)])),
    ]),
  );
}

/** Joins the lists of blocks of the same type. Several lists become a call. */
function joinedLists(lists: readonly Expression[]): Expression {
  const [only] = lists;
  if (lists.length === 1 && only !== undefined) return only;
  return { kind: "call", name: "concat", args: lists, line: 0 };
}

/** Undefined: the blocks are computed. */
function blocksIn(members: readonly Member[], name: string): ObjectExpression[] | undefined {
  const given = members.find((member) => member.name === name)?.value;
  if (given === undefined || isEmpty(given)) return [];
  const blocks = given.kind === "list" ? given.items : [given];
  const objects = blocks.filter((block) => block.kind === "object");
  return objects.length === blocks.length ? objects : undefined;
}

function textOf(members: readonly Member[] | undefined, name: string): string | undefined {
  const given = members && valueOf(members, name);
  return given?.kind === "literal" ? String(given.value) : undefined;
}

/** Null: the member is missing or empty. */
function valueOf(members: readonly Member[], name: string): Expression | null {
  const given = members.find((member) => member.name === name)?.value;
  return given === undefined || isEmpty(given) ? null : given;
}

function isEmpty(given: Expression): boolean {
  if (given.kind === "list") return given.items.length === 0;
  return given.kind === "literal" && (given.value === null || given.value === "");
}

/** `&{aws:username}` is IAM's `${aws:username}`, escaped from Terraform. */
function withVariables(given: Expression): Expression {
  return given.kind === "literal" && typeof given.value === "string"
    ? literal(given.value.replaceAll("&{", "${"))
    : withParts(given, withVariables);
}

function objectOf(entries: readonly (readonly [string, Expression | null])[]): Expression {
  const members = entries.flatMap(([name, value]): Member[] =>
    value === null ? [] : [{ name, value, line: 0 }],
  );
  return { kind: "object", members };
}

function objectOrNull(entries: readonly (readonly [string, Expression])[]): Expression | null {
  return entries.length === 0 ? null : objectOf(entries);
}
