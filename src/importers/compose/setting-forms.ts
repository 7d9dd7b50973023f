/**
 * Settings that Compose takes in two forms, in the one in which it merges them: lists of `NAME=value` as maps, and single
 * texts as lists. https://docs.docker.com/reference/compose-file/services
 */
import { expressionOf, type DataLanguage } from "#importers/data-expression.ts";
import { type Expression, literal, type Member } from "#importers/expression.ts";
import { lineOf, type DataNode } from "#importers/text/data-node.ts";
import type { ComposeVariables } from "./compose-variables.ts";

/** Maps that may be lists of `NAME=value`. */
const pairs: ReadonlySet<string> = new Set([
  "labels",
  "annotations",
  "sysctls",
  "extra_hosts",
  "additional_contexts",
]);
/** Lists that may be a single text. */
const lists: ReadonlySet<string> = new Set([
  "dns",
  "dns_search",
  "env_file",
  "label_file",
  "tmpfs",
]);
/** Maps that may be lists of their names. */
const named: ReadonlySet<string> = new Set(["networks", "models"]);
/** Settings with such settings in them. */
const around: ReadonlySet<string> = new Set(["build", "deploy"]);

/** `node`: the member in the source. */
export function inOneForm(
  member: Member,
  node: DataNode | undefined,
  variables: ComposeVariables,
): Member {
  const { name, line } = member;
  if (node === undefined) return member;
  if (around.has(name) && node.kind === "map") {
    const inside = node.members;
    return { ...member, value: withForms(member.value, inside, variables) };
  }
  if (node.kind === "list" && (pairs.has(name) || named.has(name))) {
    const members = settingsIn(
      node,
      variables.language,
      name === "extra_hosts" ? ofHosts : /=/,
    ).map((one) => ({
      ...one,
      value: one.value ?? literal(null),
    }));
    // A name may have a variable in it, which a map would lose: `${APP}.rule=…`.
    const isWhole =
      members.length === node.items.length && members.every((one) => !one.name.includes("$"));
    return isWhole ? { ...member, value: { kind: "object", members: lastOf(members) } } : member;
  }
  if (lists.has(name) && node.kind === "scalar" && node.value !== null)
    return { name, line, value: { kind: "list", items: [member.value] } };
  return member;
}

function withForms(
  value: Expression,
  nodes: ReadonlyMap<string, DataNode>,
  variables: ComposeVariables,
): Expression {
  if (value.kind !== "object") return value;
  return {
    kind: "object",
    members: value.members.map((one) =>
      one.name === "args"
        ? { ...one, value: environmentOf(nodes.get("args"), variables) }
        : inOneForm(one, nodes.get(one.name), variables),
    ),
  };
}

/** Of two with one name, the last counts. */
function lastOf(members: readonly Member[]): Member[] {
  return [...new Map(members.map((one) => [one.name, one])).values()];
}

/** Converts a list or map to a map. A name without a value comes from the environment of Compose. */
export function environmentOf(node: DataNode | undefined, variables: ComposeVariables): Expression {
  const found = new Map<string, Member>();
  for (const { name, value, line } of settingsIn(node, variables.language)) {
    if (value === undefined) variables.use({ name, line, default: undefined });
    const given: Expression = value ?? {
      kind: "reference",
      target: { kind: "variable", name },
      path: [],
      line,
    };
    found.set(name, { name, value: given, line });
  }
  return { kind: "object", members: [...found.values()] };
}

interface Setting {
  name: string;
  value: Expression | undefined;
  line: number;
}

/** Of a host and its addresses: `db:10.0.0.1`, `db=10.0.0.1`. */
const ofHosts = /[=:]/;

function settingsIn(
  node: DataNode | undefined,
  language: DataLanguage,
  separator: RegExp = /=/,
): readonly Setting[] {
  if (node?.kind === "map")
    return [...node.members].map(([name, value]) => ({
      name,
      value:
        value.kind === "scalar" && value.value === null
          ? undefined
          : expressionOf(value, language, name),
      line: lineOf(value),
    }));
  if (node?.kind !== "list") return [];
  return node.items.flatMap((item): Setting[] => {
    if (item.kind !== "scalar" || typeof item.value !== "string") return [];
    const { value: text, line } = item;
    const sign = text.search(separator);
    if (sign === -1) return [{ name: text, value: undefined, line }];
    const name = text.slice(0, sign);
    const value = expressionOf({ ...item, value: text.slice(sign + 1) }, language, name);
    return [{ name, value, line }];
  });
}
