import type { Expression, ReferenceExpression } from "#importers/expression.ts";

const MAX_LENGTH = 160;
const MAX_DEPTH = 12;

/**
 * A condition in Terraform's words, without its texts and numbers: one of them could be a secret, of a variable that only
 * its use makes one, too. Numbers that a length is compared with stay.
 */
export function shownCondition(condition: Expression): string {
  const text = written(condition, 0);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH).toWellFormed()}…` : text;
}

function written(of: Expression, depth: number): string {
  if (depth > MAX_DEPTH) return "…";
  const below = (part: Expression): string => written(part, depth + 1);
  switch (of.kind) {
    case "literal":
      if (typeof of.value === "number") return "…";
      return typeof of.value === "string" && of.value !== "" ? '"…"' : JSON.stringify(of.value);
    case "list":
      return `[${of.items.slice(0, 3).map(below).join(", ")}${of.items.length > 3 ? ", …" : ""}]`;
    case "reference":
      return named(of);
    case "call":
      return called(
        of.name,
        of.args
          .slice(0, 4)
          .map((arg) => (isOfLength(of, arg) ? JSON.stringify(arg.value) : below(arg))),
      );
    case "for":
      return `[for ${of.names.join(", ")} in ${below(of.of)} : ${below(of.value)}]`;
    case "text":
      return '"…"';
    case "object":
    case "opaque":
      return "…";
  }
}

function isOfLength(
  { name, args }: Extract<Expression, { kind: "call" }>,
  arg: Expression,
): arg is Extract<Expression, { kind: "literal" }> {
  const isComparison = /^(?:[<>]=?|[=!]=)$/.test(name);
  const isLength = (one: Expression) => one.kind === "call" && one.name === "length";
  return (
    arg.kind === "literal" && typeof arg.value === "number" && isComparison && args.some(isLength)
  );
}

function named({ target, path }: ReferenceExpression): string {
  const start = target.kind === "resource" ? target.address : target.name;
  const kinds: { [kind: string]: string } = {
    variable: "var.",
    local: "local.",
    module: "module.",
  };
  return `${kinds[target.kind] ?? ""}${[start, ...path].join(".")}`;
}

function called(name: string, args: readonly string[]): string {
  const [first = "", second = "", third = ""] = args;
  if (/^[a-z]/i.test(name)) return `${name}(${args.join(", ")})`;
  if (name === "?:") return `${first} ? ${second} : ${third}`;
  if (name === "[]") return `${first}[${second}]`;
  if (args.length === 1) return `${name}${first}`;
  return `${first} ${name} ${second}`;
}
