/** Values that functions make, without the literals of secrets: `createObject('password', 'word')`. */
import { namesSecret } from "#importers/evaluate/secret-members.ts";
import type { Expression, Member } from "#importers/expression.ts";
import { isSecretSetting, withoutSecretArguments } from "#importers/hidden-values.ts";
import { withoutValues } from "./secret-values.ts";

/** An object of members whose own values have no secrets. */
export function madeObject(members: readonly Member[], line: number): Expression {
  const isNamed = namesSecret(members);
  const isSecret = (name: string) => isSecretSetting(name) || (isNamed && /^value$/i.test(name));
  return {
    kind: "object",
    members: members.map((one) =>
      isSecret(one.name) ? { ...one, value: withoutValues(one.value, line) } : one,
    ),
  };
}

/** A list of items without secrets of their own. It may be a command. */
export function madeList(items: readonly Expression[], line: number): Expression {
  return { kind: "list", items: withoutSecretArguments(items, line) };
}

/** A value that a text was parsed to. */
export function madeOfText(of: Expression, line: number): Expression {
  if (of.kind === "list")
    return madeList(
      of.items.map((item) => madeOfText(item, line)),
      line,
    );
  if (of.kind !== "object") return of;
  return madeObject(
    of.members.map((one) => ({ ...one, value: madeOfText(one.value, line) })),
    line,
  );
}
