/** Converts objects, lists and maps of the source to values of our properties. */
import {
  calledName,
  cannot,
  type Converted,
  isCall,
  memberName,
  value,
} from "#importers/draft/values/converted.ts";
import { shownName } from "#importers/draft/values/draft.ts";
import { knowing } from "#importers/draft/values/formulas/formula-at.ts";
import type { OpenBlocks } from "#importers/draft/values/formulas/formula-loops.ts";
import { formulaOf } from "#importers/draft/values/formulas/formula.ts";
import type { Scope } from "#importers/evaluate/scope.ts";
import { isSecretEntry, isValueOfPair, namesSecret } from "#importers/evaluate/secret-members.ts";
import { itemsOf, writtenOut } from "#importers/evaluate/written-out.ts";
import type { Expression, ForExpression, Member } from "#importers/expression.ts";
import type { PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ValueShape } from "#providers/provider.ts";
import {
  type DraftContext,
  fixedDefault,
  type PlacedUse,
  type Target,
  textShape,
} from "./draft-context.ts";
import { fitTo } from "./fit-to.ts";
import { fill, writeAt } from "./property-paths.ts";
import { keepsKeys, rulesOf, shapeInside, withoutRequired } from "./property-rules.ts";
import { innerOf, mapOfPairs, onlyItem } from "./source-forms.ts";
import { weakLast } from "./weak-rules.ts";

/** Writes a member into the target's object. */
export type WriteMember = (member: Member, target: Target, isTold: boolean) => void;

/** Converts values by the shapes of our properties. */
export class ShapedValues {
  readonly #context: DraftContext;
  readonly #writeMember: WriteMember;

  constructor(context: DraftContext, writeMember: WriteMember) {
    this.#context = context;
    this.#writeMember = writeMember;
  }

  valueOf(
    given: Expression,
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim = false,
  ): Converted {
    const inside = { ...use, shape: shapeInside(use.shape, rule), reads: rule?.reads };
    const made =
      rule?.each === undefined
        ? this.#shaped(given, rule, inside, path, isVerbatim)
        : this.#spread(given, rule, rule.each, inside, path);
    if (made.kind !== "value" || made.isRuled === true) return made;
    const ruled = this.#context.apply(made.value, rule, use, path);
    return ruled.kind === "value" ? value(this.#fit(ruled.value, use.shape)) : ruled;
  }

  #fit(made: Json, shape: ValueShape | undefined): Json {
    return fitTo(made, shape, (reference) => this.#context.values.variable(reference));
  }

  /** Splits a block that describes several objects. */
  #spread(
    given: Expression,
    rule: PropertyRule,
    each: NonNullable<PropertyRule["each"]>,
    use: PlacedUse,
    path: string,
  ): Converted {
    const found = writtenOut(given, use.scope);
    if (found.variable !== undefined)
      this.#context.gap("not_expressible", path, use.line, fixedDefault);
    const objects: Json[] = [];
    const parts: (string | undefined)[] = [];
    for (const { expression: block, scope } of itemsOf(found)) {
      const turns = block.kind === "call" ? (onlyFor(block) ?? block) : block;
      const open = turns.kind === "for" ? this.#open(turns, { ...use, scope }, false) : undefined;
      if (open !== undefined && turns.kind === "for") {
        const bodies = open.scopes.map((inside) =>
          this.#spread(
            turns.value,
            rule,
            each,
            knowing({ ...use, scope: inside }, open.facts),
            path,
          ),
        );
        const made = writtenBlocks(open, bodies);
        if (made === undefined) return cannot("Its blocks are computed.");
        parts.push(this.#ruled(objects.splice(0), rule, use, path), made);
        continue;
      }
      if (block.kind !== "object") return cannot("Its blocks are computed.");
      const isOne = ({ name }: Member) => Object.hasOwn(each, name);
      const shape = use.shape?.items;
      const shared = this.#shaped(
        { kind: "object", members: block.members.filter((one) => !isOne(one)) },
        rule,
        {
          ...use,
          scope,
          shape: { ...shape, object: withoutRequired(shape?.object) } as ValueShape,
        },
        path,
      );
      for (const one of block.members.filter(isOne))
        for (const item of this.#eachItem(one, `${path}.${one.name}`, scope)) {
          const object = shared.kind === "value" ? structuredClone(asMap(shared.value)) : {};
          writeAt(object, each[one.name] ?? one.name, item);
          objects.push(object);
        }
    }
    return parts.length === 0
      ? value(objects)
      : joinedLists([...parts, this.#ruled(objects, rule, use, path)]);
  }

  /** The formula of a list in the form of the rule; undefined: the language has no form for it. */
  #ruled(
    items: Json[],
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
  ): string | undefined {
    if (items.length === 0) return "[]";
    const ruled = this.#context.apply(items, rule, use, path);
    return ruled.kind === "value" ? formulaOf(this.#fit(ruled.value, use.shape)) : undefined;
  }

  /** The open blocks of a `for`; undefined: the language has no form for them. */
  #open(made: ForExpression, use: PlacedUse, isOne: boolean): OpenBlocks | undefined {
    return this.#context.values.formulas.blocks(made, use.scope, use, isOne);
  }

  /** Converts a list of an open length, or a single block under a condition. */
  #openList(
    made: ForExpression,
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim: boolean,
  ): Converted | undefined {
    const isOne = use.shape?.type === "object";
    const open = this.#open(made, use, isOne);
    if (open === undefined) return undefined;
    const shape = isOne ? use.shape : use.shape?.items;
    const bodies = open.scopes.map((scope) => {
      const inside = knowing({ ...use, scope, shape }, open.facts);
      const body = this.#shaped(made.value, rule, inside, path, isVerbatim);
      if (body.kind !== "value") return body;
      const ruled = this.#context.apply(body.value, rule, inside, path);
      return ruled.kind === "value" ? value(this.#fit(ruled.value, shape)) : ruled;
    });
    const written = writtenBlocks(open, bodies);
    return written === undefined ? undefined : ruledFormula(written);
  }

  /** The items of a written-out list, or a single value. */
  #eachItem(member: Member, path: string, scope: Scope): Json[] {
    const found = writtenOut(member.value, scope);
    const isList = found.expression.kind === "list";
    const given =
      found.variable === undefined || isList ? found : { expression: member.value, scope };
    if (found.variable !== undefined && isList)
      this.#context.gap("not_expressible", path, member.line, fixedDefault);
    const use = this.#context.use(member, isList ? { type: "array" } : undefined, given.scope);
    const made = this.#context.values.convert(given.expression, given.scope, use);
    if (made.kind === "absent") return [];
    if (made.kind === "value" && !isCall(made.value) && !this.#context.isCompound(made.value))
      return [made.value].flat();
    const reason = made.kind === "value" ? "Nothing tells how many they are." : made.reason;
    this.#context.gap("not_expressible", path, member.line, reason);
    return [];
  }

  /** Converts objects and lists member by member, so that a member which cannot be drafted is lost alone. */
  #shaped(
    given: Expression,
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim = false,
  ): Converted {
    return this.#context.values.deeper(() => this.#shapedHere(given, rule, use, path, isVerbatim));
  }

  #shapedHere(
    given: Expression,
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim: boolean,
  ): Converted {
    const isNamed = given.kind === "reference" || given.kind === "call" || given.kind === "for";
    const found = isNamed ? writtenOut(given, use.scope) : undefined;
    if (found?.expression.kind === "list" || found?.expression.kind === "object") {
      const isOfVariable = found.variable !== undefined;
      const isWritten = !isOfVariable || this.#isFixed(rule, use);
      if (isWritten && this.#context.values.follow()) {
        if (isOfVariable) this.#context.gap("not_expressible", path, use.line, fixedDefault);
        const inside = { ...use, scope: found.scope };
        const read = () => this.#shaped(found.expression, rule, inside, path, isVerbatim);
        // The content of nested blocks stands in the resource itself.
        const isHere = given.kind === "call" && given.name === "{}";
        return isHere ? read() : this.#context.readBy(use.line, read);
      }
    }
    const blocks =
      found?.expression.kind === "call" ? onlyFor(found.expression) : found?.expression;
    if (found !== undefined && blocks?.kind === "for") {
      const inside = { ...use, scope: found.scope };
      const open = this.#openList(blocks, rule, inside, path, isVerbatim);
      if (open !== undefined) return open;
    }
    if (
      given.kind === "call" &&
      given.name === "?:" &&
      use.scope.module.format === "cloudformation"
    )
      return this.#context.values.intrinsics.choice(given, use.scope, use, (side) =>
        this.#shaped(side, rule, use, path, isVerbatim),
      );
    const inner = innerOf(given, rule, use);
    if (inner !== undefined) return this.#shaped(inner, rule, use, path, true);
    if (rule?.as === "entries") {
      const map = mapOfPairs(given, rule.pair);
      return map === undefined ? cannot("Its pairs are computed.") : this.#map(map, use, path);
    }
    const isList = use.shape?.type === "array";
    if (given.kind === "object" && isList && !keepsKeys(rule, use.shape))
      return this.#shaped({ kind: "list", items: [given] }, rule, use, path, isVerbatim);
    if (given.kind === "list" && use.shape?.type === "object" && onlyItem(given).kind === "object")
      return this.#shaped(onlyItem(given), rule, use, path, isVerbatim);
    if (given.kind === "list" && given.items.some((item) => isObject(item, use.scope)))
      return this.#items(given.items, rule, use, path, isVerbatim);
    const isPairs = rule?.as === "pairs";
    const shape: ValueShape | undefined = isPairs
      ? { type: "object", items: textShape }
      : use.shape;
    if (given.kind === "object" && keepsKeys(rule, use.shape))
      return this.#map(given.members, { ...use, shape }, path);
    if (given.kind !== "object") {
      const made = this.#context.values.convert(given, use.scope, { ...use, path, shape });
      return made.kind === "value" &&
        this.#context.isCompound(made.value) &&
        this.#isFixed(rule, use)
        ? cannot("What it has in it has other names in the provider's API.")
        : made;
    }
    const into: JsonMap = {};
    const { scope, isSecret = false } = use;
    const rules = rulesOf(rule);
    const named = given.members.find(({ name }) => /^(?:name|key)$/i.test(name))?.value;
    const inside: Target = {
      into,
      shape: use.shape?.object,
      scope,
      path: `${path}.`,
      rules,
      named: named?.kind === "literal" ? String(named.value) : undefined,
      isSecret,
      isVerbatim,
    };
    const isEntry = path === "properties" && isSecretEntry(this.#context.resource.source.type);
    const hasSecret = isEntry || namesSecret(given.members, use.scope);
    for (const one of weakLast(given.members, rules))
      this.#writeMember(one, inside, hasSecret && isValueOfPair(one.name));
    if (rule?.wrap === undefined) fill(into, rule?.defaults);
    this.#context.requireAll(into, use.shape?.object, path);
    return value(into);
  }

  /** Whether the value of a variable must be written out. A formula makes pairs of any map. */
  #isFixed(rule: PropertyRule | undefined, use: PlacedUse): boolean {
    return rule?.as !== "pairs" && this.#context.isRenamed(rule, use);
  }

  #items(
    given: readonly Expression[],
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim: boolean,
  ): Converted {
    const items: Json[] = [];
    const parts: (string | undefined)[] = [];
    for (const [at, item] of given.entries()) {
      const inside = { ...use, shape: use.shape?.items };
      const { expression: turns, scope } = writtenOut(item, use.scope);
      const open =
        turns.kind === "for"
          ? this.#openList(turns, rule, { ...use, scope }, `${path}[${at}]`, isVerbatim)
          : undefined;
      if (open?.kind === "value" && typeof open.value === "string") {
        parts.push(this.#ruled(items.splice(0), rule, use, path), open.value.slice(2, -1));
        continue;
      }
      const one = this.#shaped(item, rule, inside, `${path}[${at}]`, isVerbatim);
      if (one.kind === "value") items.push(one.value);
      else if (one.kind === "cannot" && one.isSecret === true)
        items.push(
          this.#context.ask({ ...inside, shape: textShape }, `${path}[${at}]`, one.reason, true),
        );
      else this.#context.gap("not_expressible", `${path}[${at}]`, use.line, one.reason);
    }
    return parts.length === 0
      ? value(items)
      : joinedLists([...parts, this.#ruled(items, rule, use, path)]);
  }

  /** Converts a map with the user's keys. */
  #map(members: readonly Member[], use: PlacedUse, path: string): Converted {
    const entries: [string, Json][] = [];
    const shape = use.shape?.items;
    const rule = shape?.object === undefined ? ({ to: "", as: "keys" } as const) : undefined;
    const hasSecret = namesSecret(members, use.scope);
    for (const member of members) {
      if (!this.#context.values.follow()) return cannot("It has more than a draft can have.");
      const at = `${path}.${shownName(member.name)}`;
      const written = memberName(member.name);
      if (written === undefined) {
        this.#context.gap("not_expressible", at, member.line, calledName);
        continue;
      }
      const isInSecret = use.isSecret === true || (hasSecret && isValueOfPair(member.name));
      const isSecret = this.#context.isSecretMember(member.name, isInSecret);
      const own = {
        ...this.#context.use(member, shape, use.scope),
        name: shownName(member.name),
        isSecret,
      };
      const made = this.#shaped(member.value, rule, own, at);
      if (made.kind === "value") entries.push([written, this.#fit(made.value, shape)]);
      else if (made.kind === "cannot" && made.isSecret === true)
        entries.push([
          written,
          this.#context.ask({ ...own, shape: textShape }, at, made.reason, true),
        ]);
      else if (made.kind === "cannot")
        this.#context.gap("not_expressible", at, member.line, made.reason);
    }
    return value(Object.fromEntries(entries));
  }
}

/** The only block of nested blocks, if a `for` makes it. */
function onlyFor({ name, args }: Extract<Expression, { kind: "call" }>): ForExpression | undefined {
  const [only] = args;
  return name === "{}" && args.length === 1 && only?.kind === "for" ? only : undefined;
}

function writtenBlocks(open: OpenBlocks, bodies: readonly Converted[]): string | undefined {
  const texts = bodies.map((body) => {
    if (body.kind !== "value") return undefined;
    const all = Array.isArray(body.value) ? body.value.map(formulaOf) : [formulaOf(body.value)];
    return all.every((one) => one !== undefined) ? all : undefined;
  });
  return texts.every((one) => one !== undefined) ? open.write(texts) : undefined;
}

/** One list of several, some of which are formulas. */
function joinedLists(lists: readonly (string | undefined)[]): Converted {
  if (lists.includes(undefined)) return cannot("Some of its items have no form beside the others.");
  return ruledFormula(lists.filter((list) => list !== "[]").join(" + "));
}

function ruledFormula(formula: string): Converted {
  return { kind: "value", value: `\${${formula}}`, isRuled: true };
}

function isObject(item: Expression, scope: Scope): boolean {
  const { expression, scope: own } = writtenOut(item, scope);
  if (expression.kind === "object") return true;
  const isChoice = expression.kind === "call" && expression.name === "?:";
  return isChoice && expression.args.slice(1).some((side) => isObject(side, own));
}

function asMap(of: Json | undefined): JsonMap {
  return isJsonMap(of) ? of : {};
}
