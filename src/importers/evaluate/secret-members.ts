/** Decides whether members of an object are secrets, by their names and by the members beside them. */
import type { Expression, Member } from "#importers/expression.ts";
import { isSecretSetting, describesSecret } from "#importers/hidden-values.ts";
import type { Scope } from "./scope.ts";

/** Whether a member of this name is a secret, in a secret object or elsewhere. */
export function isSecretMember(name: string, isInSecret: boolean): boolean {
  return isSecretSetting(name) || (isInSecret && !describesSecret(name));
}

interface NamedValue extends Pick<Member, "name" | "value"> {
  scope?: Scope;
}

/**
 * Whether members mark the `value` beside them as a secret: `{ name: "DB_PASSWORD", value: "…" }`, `{ sensitive: true,
 * value: "…" }`.
 */
export function namesSecret(members: readonly NamedValue[], around?: Scope): boolean {
  const { module } = around ?? members[0]?.scope ?? {};
  // The secrets of manifests are marked while reading, by their places: tolerations have keys too.
  if (module?.format === "kubernetes") return false;
  const says = (pattern: RegExp, told: (said: Literal) => boolean) =>
    members.some(({ name, value, scope = around }) => {
      if (!pattern.test(name)) return false;
      const said =
        value.kind === "literal" ? value : scope?.decided.decide(scope.decided.bound(value, scope));
      return said?.kind === "literal" && told(said.value);
    });
  return (
    says(
      /^(?:name|key|parameterKey|optionName)$/i,
      (said) => typeof said === "string" && isSecretSetting(said),
    ) ||
    says(/^(?:sensitive|secret|is_?secret)$/i, (said) => said === true) ||
    says(
      /^type$/i,
      (said) => typeof said === "string" && /^(?:secure_?string|sensitive)$/i.test(said),
    )
  );
}

/** Whether a member is the value beside a name. A stack's parameters are pairs of their own. */
export function isValueOfPair(name: string): boolean {
  return /^(?:parameter)?value$/i.test(name);
}

/** Tells by name which members of one object are secrets. `isInSecret`: the object is in a secret itself. */
export function secretsAmong(
  members: readonly NamedValue[],
  isInSecret: boolean,
): (name: string) => boolean {
  const isNamed = namesSecret(members);
  return (name) => isSecretMember(name, isInSecret || (isNamed && isValueOfPair(name)));
}

type Literal = Extract<Expression, { kind: "literal" }>["value"];

/** Whether a resource of this type is an entry of a secret store, with the secret as its `value`. */
export function isSecretEntry(type: string): boolean {
  return /secrets?$/i.test(type.replace(/@.*/, ""));
}
