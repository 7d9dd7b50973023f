/** Converts the settings of a resource of the source to the properties of ours. */
import type { Expression, Member } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { cannot, type Converted, escaped, value } from "./converted.ts";
import { type DraftValues, isSecretMember, type Use } from "./draft-values.ts";
import type { DraftGap, GapCode } from "./draft.ts";
import type { DraftedResource } from "./drafted-resource.ts";
import { fitTo } from "./fit-to.ts";
import { parsedText } from "./json-text.ts";
import { converted as convertedName, propertyIn } from "./name-of-property.ts";
import { fill, isRequired, readAt, shapeAt, writeAt } from "./property-paths.ts";
import {
  applyRule,
  keepsKeys,
  ruleOf,
  rulesOf,
  type RuleWords,
  shapeInside,
  wantsStructure,
  withoutRequired,
} from "./property-rules.ts";
import { settingOfProvider } from "./scopes.ts";
import { weakLast } from "./weak-rules.ts";

interface Target {
  into: JsonMap;
  shape: ObjectShape | undefined;
  /** Of the source, for gaps: `ingress[0].`. */
  path: string;
  rules: ReadonlyMap<string, PropertyMapping>;
  /** It stands in a secret. */
  isSecret?: boolean;
  /** Names are the vendor's own, as in a text of JSON, but for what the shape writes otherwise. */
  isVerbatim?: boolean;
}

interface Asked {
  rule: PropertyRule | undefined;
  use: Use;
  path: string;
  target: Target;
  to: string;
}

const textShape = { type: "string" } satisfies ValueShape;

export interface DraftedProperties {
  properties: JsonMap;
  gaps: DraftGap[];
}

export class PropertyDraft {
  readonly #resource: DraftedResource;
  readonly #values: DraftValues;
  readonly #gaps: DraftGap[] = [];

  constructor(resource: DraftedResource, values: DraftValues) {
    this.#resource = resource;
    this.#values = values;
  }

  draft(): DraftedProperties {
    const { mapped, parts } = this.#resource;
    const properties: JsonMap = {};
    const shape = shapeOf(this.#resource);
    this.#write(properties, shape);
    for (const part of parts) {
      const drafted = new PropertyDraft(part, this.#values);
      drafted.#writePart(properties, shape);
      for (const gap of drafted.#gaps) this.#gaps.push(gap);
    }
    fill(properties, mapped.defaults);
    for (const [path, fixed] of Object.entries(mapped.set ?? {}))
      writeAt(properties, path, structuredClone(fixed));
    this.#requireAll(properties, shape);
    return { properties, gaps: this.#gaps };
  }

  /** Writes what the source's resource says into the properties of ours. */
  #write(properties: JsonMap, shape: ObjectShape | undefined): void {
    const { source, mapped, path } = this.#resource;
    const top: Target = {
      into: properties,
      shape,
      path: path === undefined ? "" : `${path}.`,
      rules: mapped.rules,
    };
    const under =
      mapped.under === undefined
        ? undefined
        : ({ ...top, into: {}, shape: shape?.properties[mapped.under]?.object } satisfies Target);
    for (const member of weakLast(this.#membersOf(source.settings.members), mapped.rules))
      this.#member(
        member,
        under !== undefined && !this.#belongsToTop(member, top, under) ? under : top,
      );
    if (mapped.under !== undefined && under !== undefined && Object.keys(under.into).length > 0)
      properties[mapped.under] = { ...asMap(properties[mapped.under]), ...under.into };
  }

  /** Writes what a part says into the object that it belongs to: there, or as one more item of a list. */
  #writePart(properties: JsonMap, shape: ObjectShape | undefined): void {
    const { item, defaults } = this.#resource.mapped.part ?? {};
    if (item === undefined) {
      this.#write(properties, shape);
      return;
    }
    const own: JsonMap = {};
    const inside = shapeAt(shape, item)?.items?.object;
    this.#write(own, inside);
    fill(own, defaults);
    this.#requireAll(own, inside, item);
    writeAt(properties, item, [own]);
  }

  /** A rule names its own place; of the others, what the top of the type has goes there. */
  #belongsToTop(member: Member, top: Target, under: Target): boolean {
    const { mapped } = this.#resource;
    if (mapped.rules.has(member.name)) return true;
    if (
      under.shape !== undefined &&
      propertyIn(under.shape, member.name, mapped.naming) !== undefined
    )
      return false;
    return (
      top.shape !== undefined && propertyIn(top.shape, member.name, mapped.naming) !== undefined
    );
  }

  /** azapi has the properties in its `body`, as an object or as a text of JSON. */
  #membersOf(members: readonly Member[]): Member[] {
    const { body } = this.#resource.mapped;
    return members.flatMap((member) => {
      if (member.name !== body) return [member];
      const { value: given } = member;
      const inside = given.kind === "call" && given.name === "jsonencode" ? given.args[0] : given;
      return inside?.kind === "object" ? inside.members : [member];
    });
  }

  #member(member: Member, target: Target, isTold = false): void {
    const mapping = target.rules.get(member.name);
    if (mapping === null) return;
    const path = `${target.path}${member.name}`;
    if (mapping === false) {
      this.#gap("no_property", path, member.line, "Our type has nothing like it.");
      return;
    }
    const name = convertedName(member.name, this.#resource.mapped.naming);
    const rule = ruleOf(mapping, name);
    for (const one of [rule, ...(rule?.more ?? [])]) this.#ruled(member, one, target, path, isTold);
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
    const shape = to === undefined ? undefined : shapeAt(target.shape, to);
    if (to === undefined || shape?.readOnly === true) {
      this.#gap("no_property", path, member.line, "Our type has no property for it.");
      return;
    }
    if (rule?.weak === true && readAt(target.into, to) !== undefined) return;
    const isSecret = isTold || isSecretMember(member.name, target.isSecret === true);
    const use = { ...this.#use(member, shape), isSecret };
    const made = this.#valueOf(member.value, rule, use, path, target.isVerbatim);
    if (made.kind === "value") writeAt(target.into, to, made.value);
    else if (isRequired(target.shape, to) || (made.kind === "cannot" && made.isSecret === true))
      this.#askFor(made, { rule, use, path, target, to });
    else {
      const code = made.kind === "absent" ? "null_default" : "not_expressible";
      if (made.kind === "cannot" || member.value.kind !== "literal")
        this.#gap(code, path, member.line, made.reason);
      return;
    }
    for (const [at, also] of Object.entries(rule?.also ?? {}))
      writeAt(target.into, at, structuredClone(also));
  }

  /** A config value stands for what the draft cannot say and the property cannot be without. */
  #askFor(
    made: Exclude<Converted, { kind: "value" }>,
    { rule, use, path, target, to }: Asked,
  ): void {
    const isSecret = use.isSecret === true || (made.kind === "cannot" && made.isSecret === true);
    const inside = shapeInside(use.shape, rule);
    const shape = isSecret && inside?.type !== "array" ? textShape : inside;
    const asked = this.#ask({ ...use, shape }, path, made.reason, isSecret);
    const ruled = applyRule(asked, rule, this.#words(use));
    if (ruled.kind === "value") writeAt(target.into, to, ruled.value);
  }

  /** The members of a block stand where the block would. */
  #lift(member: Member, target: Target, rule: PropertyRule, path: string): void {
    const given = onlyItem(member.value);
    if (given.kind !== "object") {
      this.#gap("not_expressible", path, member.line, "It is no single block.");
      return;
    }
    const inside: Target = { ...target, path: `${path}.`, rules: rulesOf(rule) };
    for (const one of weakLast(given.members, inside.rules)) this.#member(one, inside);
  }

  #nameFor(name: string, { shape, isVerbatim }: Target): string | undefined {
    const { naming, isMadeFromVendor } = this.#resource.mapped;
    if (name === "__proto__") return undefined;
    const found = shape && propertyIn(shape, name, isVerbatim === true ? "pascal" : naming);
    if (found !== undefined || (shape !== undefined && shape.open !== true)) return found;
    if (isVerbatim === true) return name;
    return isMadeFromVendor ? convertedName(name, naming) : undefined;
  }

  #valueOf(
    given: Expression,
    rule: PropertyRule | undefined,
    use: Use,
    path: string,
    isVerbatim = false,
  ): Converted {
    const inside = { ...use, shape: shapeInside(use.shape, rule), reads: rule?.reads };
    const made =
      rule?.each === undefined
        ? this.#shaped(given, rule, inside, path, isVerbatim)
        : this.#spread(given, rule, rule.each, inside, path);
    if (made.kind !== "value") return made;
    const ruled = applyRule(made.value, rule, this.#words(use));
    return ruled.kind === "value" ? value(fitTo(ruled.value, use.shape)) : ruled;
  }

  #words(use: Use): RuleWords {
    return {
      argument: (name) => this.#argument(name, use),
      defaultOf: (reference) => this.#values.defaultOf(reference),
    };
  }

  /** What the resource says of an argument, or its provider. */
  #argument(name: string, use: Use): Json {
    const { source, scope } = this.#resource;
    const own = source.settings.members.find((member) => member.name === name);
    const given =
      own === undefined
        ? settingOfProvider(scope, source.provider, name)
        : { value: own.value, scope };
    const inside = { ...use, name, shape: textShape };
    const made = given && this.#values.convert(given.value, given.scope, inside);
    if (made?.kind === "value") return made.value;
    if (name === "region" || name === "location") return "${control.target.region}";
    const reason = "The source's provider takes it from its configuration.";
    return this.#values.ask(inside, `provider ${source.provider} ${name}`, reason);
  }

  /** A block that says several things at once becomes an object for each of them. */
  #spread(
    given: Expression,
    rule: PropertyRule,
    each: NonNullable<PropertyRule["each"]>,
    use: Use,
    path: string,
  ): Converted {
    const blocks = given.kind === "list" ? given.items : [given];
    const objects: Json[] = [];
    for (const block of blocks) {
      if (block.kind !== "object") return cannot("Its blocks are computed.");
      const isOne = ({ name }: Member) => Object.hasOwn(each, name);
      const shape = use.shape?.items;
      const shared = this.#shaped(
        { kind: "object", members: block.members.filter((one) => !isOne(one)) },
        rule,
        { ...use, shape: { ...shape, object: withoutRequired(shape?.object) } as ValueShape },
        path,
      );
      for (const one of block.members.filter(isOne)) {
        const items = one.value.kind === "list" ? one.value.items : [one.value];
        for (const item of items) {
          const made = this.#values.convert(item, this.#resource.scope, this.#use(one, undefined));
          const to = each[one.name] ?? one.name;
          if (made.kind === "cannot")
            this.#gap("not_expressible", `${path}.${one.name}`, one.line, made.reason);
          else if (made.kind === "value" && shared.kind === "value")
            objects.push({ ...asMap(shared.value), [to]: made.value });
        }
      }
    }
    return value(objects);
  }

  /** Objects and lists are converted member by member, so that what cannot be said of one loses that one alone. */
  #shaped(
    given: Expression,
    rule: PropertyRule | undefined,
    use: Use,
    path: string,
    isVerbatim = false,
  ): Converted {
    const { scope } = this.#resource;
    const inner = innerOf(given, rule, use);
    if (inner !== undefined) return this.#shaped(inner, rule, use, path, true);
    if (rule?.as === "entries") {
      const map = mapOfPairs(given, rule.pair);
      return map === undefined ? cannot("Its pairs are computed.") : this.#map(map, use, path);
    }
    const isList = use.shape?.type === "array";
    if (given.kind === "object" && isList && !keepsKeys(rule, use.shape))
      return this.#shaped({ kind: "list", items: [given] }, rule, use, path, isVerbatim);
    if (given.kind === "list" && use.shape?.type === "object" && given.items.length === 1)
      return this.#shaped(onlyItem(given), rule, use, path, isVerbatim);
    if (given.kind === "list" && given.items.some(({ kind }) => kind === "object"))
      return this.#items(given.items, rule, use, path, isVerbatim);
    if (given.kind === "object" && keepsKeys(rule, use.shape))
      return this.#map(given.members, use, path);
    if (given.kind !== "object") return this.#values.convert(given, scope, use);
    const into: JsonMap = {};
    const shape = use.shape?.object;
    const { isSecret = false } = use;
    const rules = rulesOf(rule);
    const inside: Target = { into, shape, path: `${path}.`, rules, isSecret, isVerbatim };
    const hasSecret = namesSecret(given.members);
    for (const one of weakLast(given.members, rules))
      this.#member(one, inside, hasSecret && /^value$/i.test(one.name));
    if (rule?.wrap === undefined) fill(into, rule?.defaults);
    this.#requireAll(into, shape, path);
    return value(into);
  }

  #items(
    given: readonly Expression[],
    rule: PropertyRule | undefined,
    use: Use,
    path: string,
    isVerbatim: boolean,
  ): Converted {
    const items: Json[] = [];
    for (const [at, item] of given.entries()) {
      const inside = { ...use, shape: use.shape?.items };
      const one = this.#shaped(item, rule, inside, `${path}[${at}]`, isVerbatim);
      if (one.kind === "value") items.push(one.value);
      else if (one.kind === "cannot" && one.isSecret === true)
        items.push(this.#ask({ ...inside, shape: textShape }, `${path}[${at}]`, one.reason, true));
      else this.#gap("not_expressible", `${path}[${at}]`, use.line, one.reason);
    }
    return value(items);
  }

  /** A map whose keys are the user's. */
  #map(members: readonly Member[], use: Use, path: string): Converted {
    const entries: [string, Json][] = [];
    const shape = use.shape?.items;
    const rule = shape?.object === undefined ? ({ to: "", as: "keys" } as const) : undefined;
    for (const member of members) {
      const at = `${path}.${member.name}`;
      const isSecret = isSecretMember(member.name, use.isSecret === true);
      const own = { ...this.#use(member, shape), name: member.name, isSecret };
      const made = this.#shaped(member.value, rule, own, at);
      if (made.kind === "value") entries.push([escaped(member.name), fitTo(made.value, shape)]);
      else if (made.kind === "cannot" && made.isSecret === true)
        entries.push([
          escaped(member.name),
          this.#ask({ ...own, shape: textShape }, at, made.reason, true),
        ]);
      else if (made.kind === "cannot") this.#gap("not_expressible", at, member.line, made.reason);
    }
    return value(Object.fromEntries(entries));
  }

  /** What our type cannot do without is asked for. */
  #requireAll(into: JsonMap, shape: ObjectShape | undefined, path = ""): void {
    const { source, scope, facts } = this.#resource;
    const required =
      path === ""
        ? [...(facts?.required ?? []), ...(shape?.required ?? [])]
        : (shape?.required ?? []);
    for (const name of new Set(required)) {
      const own = shape?.properties[name];
      if (Object.hasOwn(into, name) || own?.readOnly === true) continue;
      if (path === "" && name === facts?.regionProperty && facts.regionShape !== "zone") {
        into[name] = "${control.target.region}";
        continue;
      }
      const use: Use = {
        address: `${scope.prefix}${source.address}`,
        name: `${source.name} ${name}`,
        file: source.file,
        line: source.line,
        shape: own,
      };
      into[name] = this.#ask(
        use,
        `${path}.${name}`,
        "Our type requires it, and the source does not say it.",
      );
    }
  }

  #ask(use: Use, what: string, reason: string, isSecret = false): string {
    const { scope, source } = this.#resource;
    return this.#values.ask(use, `${scope.prefix}${source.address} ${what}`, reason, isSecret);
  }

  #use(member: Member, shape: ValueShape | undefined): Use {
    const { source, scope } = this.#resource;
    return {
      address: `${scope.prefix}${source.address}`,
      name: `${source.name} ${member.name}`,
      file: source.file,
      line: member.line,
      shape,
    };
  }

  #gap(code: GapCode, path: string, line: number, reason: string): void {
    const { source, scope } = this.#resource;
    const address = `${scope.prefix}${source.address}`;
    this.#gaps.push({ address, file: source.file, line, path, code, reason });
  }
}

/** Of a type whose nested shape is not known, the names at the top. */
function shapeOf({ facts }: DraftedResource): ObjectShape | undefined {
  if (facts?.shape !== undefined) return facts.shape;
  if (facts?.properties === undefined) return undefined;
  return { properties: facts.properties, required: facts.required };
}

function onlyItem(given: Expression): Expression {
  const [only] = given.kind === "list" ? given.items : [];
  return given.kind === "list" && given.items.length === 1 && only !== undefined ? only : given;
}

/** What a text of JSON says, where our type takes the value itself. */
function innerOf(
  given: Expression,
  rule: PropertyRule | undefined,
  { shape, line }: Use,
): Expression | undefined {
  if (!wantsStructure(shape, rule)) return undefined;
  if (given.kind === "call" && given.name === "jsonencode") return given.args[0];
  if (given.kind !== "text" && given.kind !== "literal") return undefined;
  return shape?.type === "object" || rule?.as === "parsed" ? parsedText(given, line) : undefined;
}

/** A list of pairs as the map that it says. */
function mapOfPairs(
  given: Expression,
  [key, of]: readonly [string, string] = ["Key", "Value"],
): Member[] | undefined {
  const isNamed = (name: string) => (member: Member) =>
    member.name.toLowerCase() === name.toLowerCase();
  const pairs = (given.kind === "list" ? given.items : [given]).map((pair) => {
    if (pair.kind !== "object") return undefined;
    const name = pair.members.find(isNamed(key))?.value;
    const member = pair.members.find(isNamed(of));
    return name?.kind === "literal" && member !== undefined
      ? { ...member, name: String(name.value) }
      : undefined;
  });
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined;
}

/** `{ name: "DB_PASSWORD", value: "…" }` says in one member that the other is a secret. */
function namesSecret(members: readonly Member[]): boolean {
  const named = members.find(({ name }) => /^(?:name|key)$/i.test(name))?.value;
  return (
    named?.kind === "literal" && typeof named.value === "string" && isSecretSetting(named.value)
  );
}

function asMap(of: Json | undefined): JsonMap {
  return isJsonMap(of) ? of : {};
}
