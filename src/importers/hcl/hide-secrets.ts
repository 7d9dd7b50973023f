import { withoutSecretTexts } from "#importers/data-expression.ts";
import { withoutEnvironments } from "#importers/environment-values.ts";
import {
  type Expression,
  type ForExpression,
  type Member,
  withParts,
} from "#importers/expression.ts";
import {
  isAboutSecret,
  isSecretSetting,
  secretsOfMap,
  withoutLiterals,
  withoutSecretArguments,
} from "#importers/hidden-values.ts";
import type { HclBlock } from "./hcl-block.ts";

interface Place {
  name: string;
  line: number;
  /**
   * Whether people chose the names of the members. Such a value contains maps; blocks have argument names of their own.
   */
  isNamed: boolean;
  /** Whether the value is one of several with the name. */
  isItem?: true;
  /** Whether a surrounding map of secrets already hides the value, at any depth. */
  isInSecrets?: true;
}

/** Hides the secrets of a block: values under a name of a secret, and texts that hold one. */
export function hideSecrets({ type, members }: HclBlock): void {
  const isNamed = type === "locals" || type === "module";
  for (const [name, member] of members) {
    const { value, line } = member;
    const place = { name, line, isNamed: isNamed || name === "for_each" };
    // A module's address stays. The inventory removes the credentials in it.
    if (type !== "module" || name !== "source")
      members.set(name, { ...member, value: withoutSecrets(value, place) });
  }
}

/** Hides the secrets and environments in the values of a template, whose names its text does not keep. */
export function withoutSecretValues(values: Expression, line: number): Expression {
  const shown = withoutSecrets(values, { name: "", line, isNamed: true });
  return withoutEnvironments(shown, "", line);
}

function withoutSecrets(value: Expression, place: Place): Expression {
  const { name, line } = place;
  const isSecret = isSecretSetting(name);
  switch (value.kind) {
    case "object":
      return { kind: "object", members: withoutSecretMembers(value.members, place) };
    case "list": {
      const items = value.items.map((item) => withoutSecrets(item, { ...place, isItem: true }));
      return { kind: "list", items: withoutSecretArguments(items, line) };
    }
    case "call":
      if (value.name === "sensitive") return withoutLiterals(value, line);
      return isSecret && value.name !== "{}"
        ? withoutLiterals(value, line)
        : withParts(value, (part) => withoutSecrets(part, place));
    case "for":
      return withoutSecretsOfTurns(value, place);
    case "text":
      return isSecret
        ? withoutLiterals(value, line)
        : withParts(value, (part) => withoutSecrets(part, place));
    case "literal":
      // An empty text tells nothing, and says that nothing is set.
      if (value.value === "") return value;
      return isSecret ? withoutLiterals(value, line) : withoutSecretTexts(value, line);
    case "opaque":
      return isSecret ? withoutLiterals(value, line) : withoutSecretTexts(value, line);
    case "reference":
      return value;
  }
}

function withoutSecretsOfTurns(made: ForExpression, place: Place): Expression {
  const { key, condition } = made;
  const item: Place = { ...place, isItem: true };
  const value = withoutSecrets(made.value, item);
  const secrets = key !== undefined && place.isNamed ? secretsOfMap(place.name) : undefined;
  return {
    ...made,
    of: withoutSecrets(made.of, { ...place, isNamed: place.isInSecrets !== true }),
    key: key && withoutSecrets(key, item),
    value: secrets ? inSecrets(value, "", secrets, place.line) : value,
    condition: condition && withoutSecrets(condition, item),
  };
}

function withoutSecretMembers(members: readonly Member[], around: Place): Member[] {
  // A named pair, as in the environment of a container: `{ name = "DB_PASSWORD", value = … }`.
  const named = members.find(({ name }) => name === "name" || name === "key")?.value;
  const own = named?.kind === "literal" ? String(named.value) : "";
  const found = around.isNamed ? secretsOfMap(around.name) : undefined;
  const secrets = found && around.isItem ? "some" : found;
  return members.map(({ name, value, line }) => {
    const { isItem: _, ...place } = around;
    const inside: Place = secrets ? { ...place, isNamed: false, isInSecrets: true } : place;
    const meaning = name === "value" && isSecretSetting(own) ? own : name;
    const shown = withoutSecrets(value, { ...inside, name: meaning, line });
    return { name, value: secrets ? inSecrets(shown, name, secrets, line) : shown, line };
  });
}

/** Hides a member of a map of secrets. */
function inSecrets(
  value: Expression,
  name: string,
  secrets: "all" | "some",
  line: number,
): Expression {
  if (value.kind === "object") {
    const members = value.members.map((one) => ({
      ...one,
      value: inSecrets(one.value, one.name, "some", one.line),
    }));
    return { kind: "object", members };
  }
  if (value.kind === "list") {
    const items = value.items.map((item) => inSecrets(item, name, secrets, line));
    return { kind: "list", items };
  }
  // The address of a secret elsewhere is not the secret.
  const isAddress = value.kind === "literal" && String(value.value).startsWith("arn:");
  const isPlain = isAddress || (secrets === "some" && isAboutSecret(name));
  return isPlain ? value : withoutLiterals(value, line);
}
