import { type Expression, literal, textOf } from "#importers/expression.ts";
import type { SourceVariable } from "#importers/source-module.ts";

/** Whether a parameter of this type is a list. */
export function isListType(type: string | null | undefined): boolean {
  return /^(?:CommaDelimitedList|List<)/.test(type ?? "");
}

/** The list that a text with commas stands for. `variables`: the parameters around the text. */
export function listIn(
  value: Expression,
  line: number,
  variables: ReadonlyMap<string, Pick<SourceVariable, "type">>,
): Expression {
  switch (value.kind) {
    case "list":
      return value;
    case "literal": {
      const items =
        value.value === null || value.value === "" ? [] : String(value.value).split(",");
      return { kind: "list", items: items.map((item) => literal(item.trim())) };
    }
    case "text": {
      const items: Expression[][] = [[]];
      for (const part of value.parts) {
        if (part.kind !== "literal") {
          items.at(-1)?.push(part);
          continue;
        }
        const [first = "", ...others] = String(part.value).split(",");
        if (first !== "") items.at(-1)?.push(literal(first));
        for (const other of others) items.push(other === "" ? [] : [literal(other.trimStart())]);
      }
      return {
        kind: "list",
        items: items.map((parts) => {
          const [only] = parts;
          return parts.length === 1 && only !== undefined ? only : textOf(parts);
        }),
      };
    }
    case "call": {
      const [between, list] = value.args;
      if (value.name === "join" && between?.kind === "literal" && between.value === ",")
        return list ?? value;
      const isList = value.name === "getAzs" || value.name === "split";
      return isList ? value : split(value, line);
    }
    case "reference": {
      const { target } = value;
      // A list parameter of the parent is passed on as it is.
      const isList = target.kind === "variable" && isListType(variables.get(target.name)?.type);
      return isList ? value : split(value, line);
    }
    case "object":
    case "for":
    case "opaque":
      return value;
  }
}

function split(value: Expression, line: number): Expression {
  return { kind: "call", name: "split", args: [literal(","), value], line };
}
