/**
 * Environments of any format: maps of settings, pairs of a name and a value, and `NAME=value` in lists. Their values
 * are hidden whatever their names, except the plain ones of `plain-setting.ts`. A draft asks for hidden values.
 */
import { parsedText } from "./evaluate/json-text.ts";
import { type Expression, literal, type Member, partsOf, textOf, withParts } from "./expression.ts";
import { hidden, namesStoredValue, withoutLiterals } from "./hidden-values.ts";
import { partsAt, type Path } from "./secret-parts.ts";
import { isJoint, isPlainSetting, isPublicName, snakeCase } from "./secrets/plain-setting.ts";
import { isScript } from "./secrets/script-loops.ts";

const environmentName =
  /(?:^|_)(?:envs?|environ|environments?|(?:env|environment)_?(?:vars?|variables?|values|map|config|file_vars)|(?:app|application)_?settings?|stage_variables|build_args?|connection_strings?)$/;

/** A cheap first check, which most names fail. */
const mayBeEnvironment = /env|setting|variable|build_?arg|connection/i;
/** The maximum length of a text that is parsed as JSON, in characters. */
const MAX_READ = 50_000;

/** Whether a value with this name is an environment, provided that it is not a single value. */
export function isEnvironment(name: string): boolean {
  return mayBeEnvironment.test(name) && environmentName.test(snakeCase(name));
}

type Keeps = (name: string, value: string | number | boolean | null) => boolean;

/** Checks for values to keep: `written` in the environment, and `named` elsewhere and referred to by it. */
export const keeps = { written: isPlainSetting, named: isPublicName } as const;

/** Returns the expression with the values of its environments hidden. */
export function withoutEnvironments(
  expression: Expression,
  name: string,
  line: number,
): Expression {
  if (isEnvironment(name) && isSeveral(expression)) return asEnvironment(expression, "", line);
  switch (expression.kind) {
    case "literal":
    case "text":
      return withoutSettingsOfText(expression, name, line);
    case "object":
      return unchanged(expression, {
        kind: "object",
        members: isOptionOfEnvironment(expression.members)
          ? expression.members.map((one) => withValue(one, asValueOfPair(one, expression.members)))
          : expression.members.map((one) =>
              withValue(one, withoutEnvironments(one.value, one.name, one.line)),
            ),
      });
    case "call":
    case "for":
    case "list":
    case "opaque":
    case "reference":
      return withSame(expression, (part) => withoutEnvironments(part, name, line));
  }
}

function isSeveral(expression: Expression): boolean {
  return (
    expression.kind !== "literal" && expression.kind !== "reference" && expression.kind !== "text"
  );
}

/** Returns an environment with its values hidden. `key` is the name of a single value in it. */
export function asEnvironment(
  expression: Expression,
  key: string,
  line: number,
  isKept: Keeps = keeps.written,
): Expression {
  const within = (part: Expression) => asEnvironment(part, key, line, isKept);
  switch (expression.kind) {
    case "literal":
      return isKept(key, expression.value) ? expression : hidden(line);
    case "text": {
      const isPlain = ({ parts }: { parts: readonly Expression[] }) =>
        parts.every((part) => part.kind !== "literal" || isJoint(String(part.value)));
      return isPlain(expression)
        ? expression
        : withParts(expression, (part) =>
            part.kind === "literal" && !isJoint(String(part.value)) ? hidden(line) : part,
          );
    }
    case "reference":
      return expression;
    case "opaque":
      return /^[\w.]{1,80}$/.test(expression.text) ? expression : { ...expression, text: "" };
    case "list":
      return unchanged(expression, {
        kind: "list",
        items: expression.items.map((item) => assigned(item, line, isKept) ?? within(item)),
      });
    case "object":
      return objectOf(expression, key, isKept);
    case "call":
      return inCall(expression, within);
    case "for":
      return unchanged(expression, {
        ...expression,
        of: within(expression.of),
        value: within(expression.value),
      });
  }
}

/** Members that describe an environment and stand beside its settings. */
const structure = /^(?:compute_?type|image|privileged_?mode|image_pull_credentials_type)$/i;

function objectOf(
  expression: Extract<Expression, { kind: "object" }>,
  key: string,
  isKept: Keeps,
): Expression {
  const { members } = expression;
  const environments = members.filter(
    ({ name, value }) => (isEnvironment(name) || /^variables$/i.test(name)) && isSeveral(value),
  );
  const changed = (one: Member): Expression => {
    const { name, value, line } = one;
    if (isPair(members)) return asValueOfPair(one, members, isKept);
    // A map of pairs: `{ KEY = { value = "…" } }`.
    if (key !== "" && members.some((other) => /^value$/i.test(other.name)))
      return /value$/i.test(name)
        ? asEnvironment(value, key, line, isKept)
        : withoutEnvironments(value, name, line);
    if (environments.length > 0 || members.some((other) => structure.test(other.name)))
      return environments.includes(one)
        ? asEnvironment(value, "", line, isKept)
        : withoutEnvironments(value, name, line);
    return asEnvironment(value, name, line, isKept);
  };
  return unchanged(expression, {
    kind: "object",
    members: members.map((one) => withValue(one, changed(one))),
  });
}

/** Members of a pair that name the setting, in the spellings of all formats. */
const pairName = /^(?:name|Name|key|Key|OptionName)$/;
const pairValue =
  /^(?:value|Value|secure_?[vV]alue|connection_?[sS]tring|ConnectionString|default)$/;
/** Members of a pair that refer to the value. */
const pairSource =
  /^(?:value_?(?:from|From|source|Source)|ValueFrom|secret_?(?:ref|Ref|name|Name)|config_?[mM]ap_?(?:ref|Ref|name|Name))$/;
/** Other members of a pair, which describe its value. */
const pairWord =
  /^(?:type|Type|scope|targets?|environments?|comment|sensitive|id|project_id|team_id|slot_?[sS]etting|git_?[bB]ranch|[nN]amespace|resource|ResourceName)$/;

/** Whether the members are a pair: `{ name: "DB_PASS", value: "…" }`, or a name alone. */
function isPair(members: readonly Member[]): boolean {
  if (members.length === 1 && members[0]?.name === "name") return true;
  return (
    members.some(({ name }) => pairName.test(name)) &&
    members.some(({ name }) => pairValue.test(name) || pairSource.test(name))
  );
}

function asValueOfPair(
  { name, value, line }: Member,
  members: readonly Member[],
  isKept: Keeps = keeps.written,
): Expression {
  if (pairName.test(name) || pairWord.test(name) || pairSource.test(name))
    return withoutEnvironments(value, "", line);
  const named = members.find((one) => pairName.test(one.name))?.value;
  const key = named?.kind === "literal" ? String(named.value) : "";
  return asEnvironment(value, pairValue.test(name) ? key : name, line, isKept);
}

/** Whether the members are an environment setting of Elastic Beanstalk. */
function isOptionOfEnvironment(members: readonly Member[]): boolean {
  const space = members.find(({ name }) => /^namespace$/i.test(name))?.value;
  return space?.kind === "literal" && String(space.value).endsWith(":environment");
}

/** Applies a change to the arguments of a call, except indexes and conditions. */
function inCall(
  call: Extract<Expression, { kind: "call" }>,
  within: (part: Expression) => Expression,
): Expression {
  const { name, args } = call;
  if (namesStoredValue(call)) return call;
  const isPart = (at: number): boolean => {
    if (/^(?:\[\]|\[\*\]|element)$/.test(name)) return at === 0;
    if (name === "lookup") return at !== 1;
    if (name === "?:") return at > 0;
    if (/^(?:pseudo|==|!=|getAzs|Fn::GetAZs)$/.test(name)) return false;
    return true;
  };
  return unchanged(call, {
    ...call,
    args: args.map((arg, at) => {
      const isNumber = arg.kind === "literal" && typeof arg.value !== "string";
      return isPart(at) && !isNumber ? within(arg) : arg;
    }),
  });
}

/** Hides the value in `NAME=value`; undefined for another text. */
function assigned(item: Expression, line: number, isKept: Keeps): Expression | undefined {
  const parts = item.kind === "text" ? item.parts : [item];
  const [first, ...rest] = parts;
  if (first?.kind !== "literal" || typeof first.value !== "string") return undefined;
  const [whole, name = "", given = ""] = /^([A-Za-z_][\w.-]{0,255})=(.*)$/s.exec(first.value) ?? [];
  if (whole === undefined) return undefined;
  const value = asEnvironment(textOf([literal(given), ...rest]), name, line, isKept);
  return textOf([literal(`${name}=`), ...(value.kind === "text" ? value.parts : [value])]);
}

const assignment =
  /^[ \t]{0,40}(?:-[ \t]+)?(?:export[ \t]+|set[ \t]+|ENV[ \t]+|ARG[ \t]+)?([A-Z_][A-Z0-9_]{0,80})=["']?([^\s"'$`<|;&][^\s"'|;&]{0,500})/gm;
const plainPath = /^\/?(?:[a-z][a-z.-]{0,20}\/){0,8}[a-z][a-z.-]{0,20}$/;

/** Hides the environments in a JSON text, and hides a whole script that sets an environment. */
function withoutSettingsOfText(expression: Expression, name: string, line: number): Expression {
  const parts = expression.kind === "text" ? expression.parts : [expression];
  const texts = parts.map((part) => (part.kind === "literal" ? String(part.value) : ""));
  if (texts.every((text) => text.length < 4)) return expression;
  if (/^\s*[{[]/.test(texts[0] ?? "") && texts.some((text) => mayBeEnvironment.test(text))) {
    const parsed = parsedText(expression, line);
    const left = parsed && withoutEnvironments(parsed, "", line);
    if (left !== undefined && left !== parsed)
      return { kind: "call", name: "jsonencode", args: [left], line };
    // A text that is too long to be parsed is hidden as a whole.
    if (parsed === undefined && texts.some((text) => text.length > MAX_READ))
      return withoutLiterals(expression, line);
  }
  if (!(isScript(name) || isEnvironment(name)) || !texts.some(setsEnvironment)) return expression;
  return withoutLiterals(expression, line);
}

function setsEnvironment(text: string): boolean {
  const all = /^[A-Za-z0-9+/=\s]{12,}$/.test(text) ? `${text}\n${decoded(text)}` : text;
  for (const [, key = "", value = ""] of all.matchAll(assignment))
    if (!isPlainSetting(key, value) && !plainPath.test(value)) return true;
  return false;
}

function decoded(text: string): string {
  try {
    return atob(text.replace(/\s/g, ""));
  } catch {
    return "";
  }
}

/** The environments in settings, and references that stand in place of one. */
export function environmentsIn(settings: Expression): readonly Expression[] {
  const found: Expression[] = [];
  const waiting: [Expression, string][] = [[settings, ""]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [at, name] = next;
    // A text contains no environment.
    if (at.kind === "text") continue;
    const isBlocks = at.kind === "call" && at.name === "{}";
    const isOne = !isBlocks && isEnvironment(name) && at.kind !== "literal";
    if (isOne || (at.kind === "object" && isOptionOfEnvironment(at.members))) found.push(at);
    else if (at.kind === "object")
      for (const member of at.members) waiting.push([member.value, member.name]);
    else for (const part of partsOf(at)) waiting.push([part, name]);
  }
  return found;
}

/** Hides the part at a path of a named value that an environment refers to. */
export function withoutEnvironmentAt(
  expression: Expression,
  path: Path,
  line: number,
  name: string,
): Expression {
  // The members of a map take the names of the environment.
  if (path.length === 0)
    return asEnvironment(
      expression,
      name,
      line,
      expression.kind === "literal" ? keeps.named : keeps.written,
    );
  const parts = new Map(partsAt(expression, path));
  const key = String(path.find((step) => typeof step === "string" && step !== "*") ?? name);
  return withSame(expression, (part) => {
    const rest = parts.get(part);
    return rest === undefined ? part : withoutEnvironmentAt(part, rest, line, key);
  });
}

function withValue(member: Member, value: Expression): Member {
  return value === member.value ? member : { ...member, value };
}

/** Returns `before` where no part has changed, so that callers can compare by identity. */
function unchanged(before: Expression, after: Expression): Expression {
  const others = partsOf(after);
  return partsOf(before).every((part, at) => part === others[at]) ? before : after;
}

function withSame(expression: Expression, change: (part: Expression) => Expression): Expression {
  const changed = new Map<Expression, Expression>();
  for (const part of partsOf(expression)) {
    const left = change(part);
    if (left !== part) changed.set(part, left);
  }
  return changed.size === 0
    ? expression
    : withParts(expression, (part) => changed.get(part) ?? part);
}
