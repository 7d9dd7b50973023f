import { type Expression, literal, textOf } from "#importers/expression.ts";

/** The list that a text with commas stands for. */
export function listIn(value: Expression, line: number): Expression {
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
      return value.name === "getAzs"
        ? value
        : { kind: "call", name: "split", args: [literal(","), value], line };
    }
    case "reference":
      // A list parameter of the parent is passed on as it is.
      return value.target.kind === "variable"
        ? value
        : { kind: "call", name: "split", args: [literal(","), value], line };
    case "object":
    case "for":
    case "opaque":
      return value;
  }
}
