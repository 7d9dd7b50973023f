import { withoutSecretTexts } from "#importers/data-expression.ts";
import { type Expression, type Member, withParts } from "#importers/expression.ts";
import {
  isSecretSetting,
  withoutLiterals,
  withoutSecretArguments,
} from "#importers/hidden-values.ts";
import type { HclBlock } from "./hcl-block.ts";

/** Hides what a block says of secrets: values under a name that says so, and texts that hold one. */
export function hideSecrets({ type, members }: HclBlock): void {
  for (const [name, member] of members)
    // Credentials in the address of a module are told apart from the address by whoever shows it.
    if (type !== "module" || name !== "source")
      members.set(name, { ...member, value: withoutSecrets(member.value, name, member.line) });
}

function withoutSecrets(value: Expression, name: string, line: number): Expression {
  const isSecret = isSecretSetting(name);
  switch (value.kind) {
    case "object":
      return { kind: "object", members: withoutSecretMembers(value.members) };
    case "list": {
      const items = value.items.map((item) => withoutSecrets(item, name, line));
      return { kind: "list", items: withoutSecretArguments(items, line) };
    }
    case "call":
    case "for":
      if (value.kind === "call" && value.name === "sensitive") return withoutLiterals(value, line);
      return isSecret && value.kind === "call" && value.name !== "{}"
        ? withoutLiterals(value, line)
        : withParts(value, (part) => withoutSecrets(part, name, line));
    case "text":
    case "literal":
    case "opaque":
      return isSecret ? withoutLiterals(value, line) : withoutSecretTexts(value, line);
    case "reference":
      return value;
  }
}

function withoutSecretMembers(members: readonly Member[]): Member[] {
  // As in the environment of a container: `{ name = "DB_PASSWORD", value = … }`.
  const named = members.find(({ name }) => name === "name" || name === "key")?.value;
  const own = named?.kind === "literal" ? String(named.value) : "";
  return members.map(({ name, value, line }) => {
    const meaning = name === "value" && isSecretSetting(own) ? own : name;
    return { name, value: withoutSecrets(value, meaning, line), line };
  });
}
