/** Converts members of settings: each to the property of its rule, or of its name. */
import { providerRegions } from "#importers/draft/other-region.ts";
import { converted as convertedName, propertyIn } from "#importers/draft/types/name-of-property.ts";
import { type Converted, isReference, namesCall } from "#importers/draft/values/converted.ts";
import { type GapCode, shownName, tooMuch } from "#importers/draft/values/draft.ts";
import { isExpression } from "#importers/draft/values/formulas/formula.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { itemsOf, writtenOut } from "#importers/evaluate/written-out.ts";
import type { Expression, Member } from "#importers/expression.ts";
import type { PropertyRule } from "#importers/mappings/type-mapping.ts";
import type { Json } from "#platform/json.ts";
import {
  type DraftContext,
  fixedDefault,
  type PlacedUse,
  type Target,
  textShape,
} from "./draft-context.ts";
import {
  fill,
  hasPlace,
  isRequired,
  type PropertyPlace,
  readAt,
  shapeAt,
  writeAt,
} from "./property-paths.ts";
import { rulesFor, rulesOf, shapeInside } from "./property-rules.ts";
import { ShapedValues } from "./shaped-values.ts";
import { weakLast } from "./weak-rules.ts";

interface Asked {
  rule: PropertyRule | undefined;
  use: PlacedUse;
  path: string;
  target: Target;
  place: PropertyPlace;
}

/**
 * Terraform's write-only arguments are the secrets of others: `password_wo` of `password`. Their versions only tell
 * Terraform of a change. Undefined: nothing is to be written.
 */
export function withoutWriteOnly(member: Member, { module }: Scope): Member | undefined {
  if (module.format !== "terraform") return member;
  const [, base, version] = /^(.+)_wo(_version)?$/.exec(member.name) ?? [];
  if (base === undefined) return member;
  return version === undefined ? { ...member, name: base } : undefined;
}

/** Without these properties the object would be another one, or apply to more. */
const placeProperties: ReadonlySet<string> = new Set(["parent", "scope"]);

/** Writes the members of a resource's settings by the rules of its type. */
export class MemberDraft {
  readonly #context: DraftContext;
  readonly #shaping: ShapedValues;

  constructor(context: DraftContext) {
    this.#context = context;
    this.#shaping = new ShapedValues(context, (member, target, isTold) =>
      this.write(member, target, isTold),
    );
  }

  write(given: Member, target: Target, isTold = false): void {
    const member = withoutWriteOnly(given, target.scope);
    if (member === undefined) return;
    if (member !== given) return this.write(member, target, true);
    const mapping = target.rules.get(member.name);
    if (mapping === null) return;
    if (!this.#context.values.follow()) {
      const { name, line } = member;
      this.#context.gap("too_many", `${target.path}${shownName(name)}`, line, tooMuch);
      return;
    }
    const path = `${target.path}${shownName(member.name)}`;
    if (mapping === false) {
      this.#lost("no_property", member, target, "Our type has nothing like it.");
      return;
    }
    if (mapping === undefined) return this.#ruled(member, undefined, target, path, isTold);
    const name = convertedName(member.name, this.#context.resource.mapped.naming);
    for (const rule of rulesFor(mapping, name)) this.#ruled(member, rule, target, path, isTold);
  }

  #ruled(
    member: Member,
    rule: PropertyRule | undefined,
    target: Target,
    path: string,
    isTold: boolean,
  ): void {
    if (rule?.to === "") return this.#lift(member, target, rule, path);
    const to = rule?.to ?? this.#nameFor(member.name, target);
    const place: PropertyPlace = rule === undefined ? [to ?? ""] : (to ?? "");
    const shape = to === undefined ? undefined : shapeAt(target.shape, place);
    const unset = this.#unsetOf(member, target, to ?? "");
    if (this.#isUnset(member, target, unset)) return;
    if (to === undefined && this.#isOfTarget(member, target)) return;
    if (to === undefined || !hasPlace(target.shape, place) || shape?.readOnly === true) {
      this.#lost("no_property", member, target, whyNoProperty(path));
      return;
    }
    if (rule?.weak === true && readAt(target.into, to) !== undefined) return;
    // A boolean tells no secret, whatever its name.
    const isSecret =
      shape?.type !== "boolean" &&
      (isTold || this.#context.isSecretMember(member.name, target.isSecret === true));
    const own = this.#context.use(member, shape, target.scope);
    const isNamed = target.named !== undefined && /value$/i.test(member.name);
    const use = { ...own, name: isNamed ? shownName(target.named ?? "") : own.name, isSecret };
    const made = this.#shaping.valueOf(member.value, rule, use, path, target.isVerbatim);
    if (made.kind === "value") {
      const declared = isReference(made.value) && this.#context.values.variable(made.value);
      const isEmpty = declared && declared["default"] === "" && declared["secret"] !== true;
      writeAt(target.into, place, orOmitted(made.value, unset, isEmpty === true));
    } else if (
      isRequired(target.shape, to) ||
      placeProperties.has(to) ||
      (made.kind === "cannot" && made.isSecret === true)
    )
      this.#askFor(made, { rule, use, path, target, place });
    else {
      const code = made.kind === "absent" ? "null_default" : "not_expressible";
      if (made.kind === "cannot" || member.value.kind !== "literal")
        this.#lost(code, member, target, made.reason);
      return;
    }
    alsoSay(target, rule);
  }

  /**
   * The value by which Terraform says that an argument is not set: the one of the table, and for its older providers an
   * empty text.
   */
  #unsetOf(
    { name }: Member,
    { scope, shape, path, isVerbatim }: Target,
    to: string,
  ): string | number | undefined {
    const { source, mapped } = this.#context.resource;
    const at = `${path}${name}`.replaceAll(/\[\d+\]/g, "");
    const known = Object.hasOwn(mapped.unset, at) ? mapped.unset[at] : undefined;
    if (known !== undefined || scope.module.format !== "terraform" || isVerbatim === true)
      return known;
    const isOlder = !/^(?:awscc|azapi)/.test(source.type);
    const isContent = /(?:^|_)(?:value|content|text|data|body)$/.test(name);
    return isOlder && !isContent && !isRequired(shape, to) ? "" : undefined;
  }

  #isUnset(
    { value: given }: Member,
    { scope }: Target,
    unset: string | number | undefined,
  ): boolean {
    const made = scope.decided.decide(scope.decided.bound(given, scope));
    return made?.kind === "literal" && made.value !== null && String(made.value) === String(unset);
  }

  /** A region of AWS that is the provider's or open: here the instance's target decides it. */
  #isOfTarget({ name, value: given }: Member, { scope, path }: Target): boolean {
    const { source } = this.#context.resource;
    if (name !== "region" || path !== "" || !source.type.startsWith("aws_")) return false;
    const made = scope.decided.decide(scope.decided.bound(given, scope));
    if (made === undefined) return true;
    return made.kind === "literal" && made.value === providerRegions(scope).of(source);
  }

  /** Records a lost setting. A setting that the files decide to be null is not a gap. */
  #lost(code: GapCode, { name, value: given, line }: Member, target: Target, reason: string): void {
    const { decided } = target.scope;
    const made = decided.decide(decided.bound(given, target.scope));
    if (made?.kind === "literal" && made.value === null) return;
    this.#context.gap(code, `${target.path}${shownName(name)}`, line, reason);
  }

  /** Asks for a required property that the draft cannot express. */
  #askFor(
    made: Exclude<Converted, { kind: "value" }>,
    { rule, use, path, target, place }: Asked,
  ): void {
    const isSecret = use.isSecret === true || (made.kind === "cannot" && made.isSecret === true);
    const inside = shapeInside(use.shape, rule);
    const isText = inside?.type === "string" || (isSecret && inside?.type !== "array");
    if (!isText) {
      // The whole property is asked for, in our words.
      writeAt(target.into, place, this.#context.ask(use, path, made.reason, isSecret));
      return;
    }
    const asked = this.#context.ask({ ...use, shape: textShape }, path, made.reason, isSecret);
    const ruled = this.#context.apply(asked, rule, use, path);
    writeAt(target.into, place, ruled.kind === "value" ? ruled.value : asked);
  }

  /** Writes the members of a block in place of the block. */
  #lift(member: Member, target: Target, rule: PropertyRule, path: string): void {
    const found = writtenOut(member.value, target.scope);
    const [first = found, ...others] = itemsOf(found);
    const { expression: given, scope } = others.length === 0 ? first : found;
    if (given.kind !== "object") {
      if (!isNothing(given))
        this.#context.gap("not_expressible", path, member.line, "It is no single block.");
      return;
    }
    if (found.variable !== undefined)
      this.#context.gap("not_expressible", path, member.line, fixedDefault);
    const rules = rulesOf(rule);
    const inside: Target = { ...target, scope, path: `${path}.`, rules };
    for (const one of weakLast(given.members, rules)) this.write(one, inside);
    fill(target.into, rule.defaults);
    alsoSay(target, rule);
  }

  #nameFor(name: string, { shape, isVerbatim }: Target): string | undefined {
    const { naming, isMadeFromVendor } = this.#context.resource.mapped;
    if (name === "__proto__" || namesCall(name)) return undefined;
    const found = shape && propertyIn(shape, name, isVerbatim === true ? "pascal" : naming);
    if (isVerbatim === true) return found ?? name;
    if (found !== undefined || (shape !== undefined && shape.open !== true)) return found;
    return isMadeFromVendor ? convertedName(name, naming) : undefined;
  }
}

/**
 * An open number of which one value means that it is not set. `isEmpty`: an open text, which is empty if nothing is
 * given.
 */
function orOmitted(made: Json, unset: string | number | undefined, isEmpty: boolean): Json {
  if (typeof made !== "string" || !isExpression(made)) return made;
  if (unset === "" && isEmpty)
    return `\${(${made.slice(2, -1)} != "" ? ${made.slice(2, -1)} : omit())}`;
  if (typeof unset !== "number") return made;
  const text = made.slice(2, -1);
  return made.includes("omit()") ? made : `\${(${text} == ${unset} ? omit() : ${text})}`;
}

function alsoSay({ into }: Target, rule: PropertyRule | undefined): void {
  for (const [at, also] of Object.entries(rule?.also ?? {}))
    writeAt(into, at, structuredClone(also));
}

function isNothing(given: Expression): boolean {
  if (given.kind === "list") return given.items.length === 0;
  return given.kind === "literal" && given.value === null;
}

/** Terraform makes a unique name of a prefix; the service makes one of the instance's name and the resource's. */
function whyNoProperty(path: string): string {
  return /^(?:name|identifier|bucket)_prefix$/.test(path)
    ? "The service chooses a unique name itself, without this prefix."
    : "Our type has no property for it.";
}
