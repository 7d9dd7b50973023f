/** Converts the settings of a resource of the source to the properties of ours. */
import type { Scope } from "#importers/draft/scopes/scope.ts";
import { settingOfProvider } from "#importers/draft/scopes/scopes.ts";
import { writtenOut } from "#importers/draft/scopes/written-out.ts";
import { converted as convertedName, propertyIn } from "#importers/draft/types/name-of-property.ts";
import {
  cannot,
  type Converted,
  escaped,
  isCall,
  isReference,
  value,
} from "#importers/draft/values/converted.ts";
import {
  type DraftValues,
  isSecretMember,
  type Use,
} from "#importers/draft/values/draft-values.ts";
import type { DraftGap, GapCode } from "#importers/draft/values/draft.ts";
import type { DraftedResource } from "#importers/draft/values/drafted-resource.ts";
import type { Expression, Member } from "#importers/expression.ts";
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { fitTo } from "./fit-to.ts";
import {
  fill,
  hasPlace,
  isRequired,
  mergeInto,
  readAt,
  shapeAt,
  writeAt,
} from "./property-paths.ts";
import {
  applyRule,
  keepsKeys,
  rulesFor,
  rulesOf,
  type RuleWords,
  shapeInside,
  withoutRequired,
} from "./property-rules.ts";
import {
  innerOf,
  isRestructured,
  isSecretEntry,
  mapOfPairs,
  namesSecret,
  onlyItem,
} from "./source-forms.ts";
import { weakLast } from "./weak-rules.ts";

/** Where the names in the value mean something. */
type PlacedUse = Use & { scope: Scope };

interface Target {
  into: JsonMap;
  shape: ObjectShape | undefined;
  /** Of the source, for gaps: `ingress[0].`. */
  path: string;
  rules: ReadonlyMap<string, PropertyMapping>;
  /** Where the names in its values mean something. */
  scope: Scope;
  /** It stands in a secret. */
  isSecret?: boolean;
  /** Names are the vendor's own, as in a text of JSON, but for what the shape writes otherwise. */
  isVerbatim?: boolean;
}

interface Asked {
  rule: PropertyRule | undefined;
  use: PlacedUse;
  path: string;
  target: Target;
  to: string;
}

const fixedDefault =
  "The draft has the default of its variable written out, as our names for what is in it are others.";
/** Without these, the object would be another one, or apply to more. */
const placeProperties: ReadonlySet<string> = new Set(["parent", "scope"]);

const textShape = { type: "string" } satisfies ValueShape;

export interface DraftedProperties {
  properties: JsonMap;
  gaps: DraftGap[];
  /** The resources that it waits for, although no value names them. */
  waitsFor: DraftedResource[];
  /** What each part reads. */
  parts: readonly DraftedPart[];
}

export interface DraftedPart {
  part: DraftedResource;
  /** Of what it says in the properties of its object. */
  paths: readonly string[];
  read: readonly DraftedResource[];
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
    const values = this.#values;
    values.takeRead();
    this.#write(properties, shape);
    const waitsFor = waitedFor(values.takeRead());
    const drafted = parts.map((part): DraftedPart => {
      const own = new PropertyDraft(part, values);
      const paths = mergeInto(properties, own.#partOf(shape));
      for (const gap of own.#gaps) this.#gaps.push(gap);
      const taken = values.takeRead();
      waitsFor.push(...waitedFor(taken));
      return { part, paths, read: taken.read };
    });
    fill(properties, mapped.defaults);
    for (const [path, fixed] of Object.entries(mapped.set ?? {}))
      writeAt(properties, path, structuredClone(fixed));
    this.#requireAll(properties, shape);
    return { properties, gaps: this.#gaps, waitsFor, parts: drafted };
  }

  /** Writes what the source's resource says into the properties of ours. */
  #write(properties: JsonMap, shape: ObjectShape | undefined): void {
    const { source, mapped, path } = this.#resource;
    const scope = this.#resource.settingsFrom ?? this.#resource.scope;
    const top: Target = {
      into: properties,
      shape,
      scope,
      path: path === undefined ? "" : `${path}.`,
      rules: mapped.rules,
    };
    const under: Target | undefined =
      mapped.under === undefined
        ? undefined
        : { ...top, into: {}, shape: shapeAt(shape, mapped.under)?.object };
    // There before the rules write into it, so that both write into the same object.
    if (mapped.under !== undefined && under !== undefined)
      writeAt(properties, mapped.under, under.into);
    const members = this.#membersOf(source.settings.members);
    const hasSecret = isSecretEntry(source.type) || namesSecret(members);
    for (const member of weakLast(members, mapped.rules))
      this.#member(
        member,
        under !== undefined && !this.#belongsToTop(member, top, under) ? under : top,
        hasSecret && /^value$/i.test(member.name),
      );
    if (mapped.under !== undefined && under !== undefined && Object.keys(under.into).length === 0)
      delete properties[mapped.under];
  }

  /** What a part says in the properties of the object that it belongs to: there, or as one more item of a list. */
  #partOf(shape: ObjectShape | undefined): JsonMap {
    const { item, defaults } = this.#resource.mapped.part ?? {};
    const own: JsonMap = {};
    if (item === undefined) {
      this.#write(own, shape);
      return own;
    }
    const inside = shapeAt(shape, item)?.items?.object;
    this.#write(own, inside);
    fill(own, defaults);
    this.#requireAll(own, inside, item);
    const whole: JsonMap = {};
    writeAt(whole, item, [own]);
    return whole;
  }

  /** A rule names its own place; of the others, what the top of the type has goes there. */
  #belongsToTop(member: Member, top: Target, under: Target): boolean {
    const { mapped } = this.#resource;
    const mapping = mapped.rules.get(member.name);
    if (mapping !== undefined && mapping !== true) return true;
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
      this.#lost("no_property", member, target, "Our type has nothing like it.");
      return;
    }
    if (mapping === undefined) return this.#ruled(member, undefined, target, path, isTold);
    const name = convertedName(member.name, this.#resource.mapped.naming);
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
    const shape = to === undefined ? undefined : shapeAt(target.shape, to);
    if (to === undefined || !hasPlace(target.shape, to) || shape?.readOnly === true) {
      this.#lost("no_property", member, target, "Our type has no property for it.");
      return;
    }
    if (rule?.weak === true && readAt(target.into, to) !== undefined) return;
    const isSecret = isTold || isSecretMember(member.name, target.isSecret === true);
    const use = { ...this.#use(member, shape, target.scope), isSecret };
    const made = this.#valueOf(member.value, rule, use, path, target.isVerbatim);
    if (made.kind === "value") writeAt(target.into, to, made.value);
    else if (
      isRequired(target.shape, to) ||
      placeProperties.has(to) ||
      (made.kind === "cannot" && made.isSecret === true)
    )
      this.#askFor(made, { rule, use, path, target, to });
    else {
      const code = made.kind === "absent" ? "null_default" : "not_expressible";
      if (made.kind === "cannot" || member.value.kind !== "literal")
        this.#lost(code, member, target, made.reason);
      return;
    }
    alsoSay(target, rule);
  }

  /** A setting that the draft does not have; one that is null by what the files give says nothing. */
  #lost(code: GapCode, { name, value: given, line }: Member, target: Target, reason: string): void {
    const { decided } = target.scope;
    const made = decided.decide(decided.bound(given, target.scope));
    if (made?.kind === "literal" && made.value === null) return;
    this.#gap(code, `${target.path}${name}`, line, reason);
  }

  /** A config value stands for what the draft cannot say and the property cannot be without. */
  #askFor(
    made: Exclude<Converted, { kind: "value" }>,
    { rule, use, path, target, to }: Asked,
  ): void {
    const isSecret = use.isSecret === true || (made.kind === "cannot" && made.isSecret === true);
    const inside = shapeInside(use.shape, rule);
    const isText = inside?.type === "string" || (isSecret && inside?.type !== "array");
    if (!isText) {
      // In our words, as a whole.
      writeAt(target.into, to, this.#ask(use, path, made.reason, isSecret));
      return;
    }
    const asked = this.#ask({ ...use, shape: textShape }, path, made.reason, isSecret);
    const ruled = this.#apply(asked, rule, use, path);
    writeAt(target.into, to, ruled.kind === "value" ? ruled.value : asked);
  }

  /** The members of a block stand where the block would. */
  #lift(member: Member, target: Target, rule: PropertyRule, path: string): void {
    const found = writtenOut(member.value, target.scope);
    const given = onlyItem(found.expression);
    if (given.kind !== "object") {
      if (!isNothing(given))
        this.#gap("not_expressible", path, member.line, "It is no single block.");
      return;
    }
    if (found.variable !== undefined) this.#gap("not_expressible", path, member.line, fixedDefault);
    const rules = rulesOf(rule);
    const inside: Target = { ...target, scope: found.scope, path: `${path}.`, rules };
    for (const one of weakLast(given.members, rules)) this.#member(one, inside);
    fill(target.into, rule.defaults);
    alsoSay(target, rule);
  }

  #nameFor(name: string, { shape, isVerbatim }: Target): string | undefined {
    const { naming, isMadeFromVendor } = this.#resource.mapped;
    if (name === "__proto__") return undefined;
    const found = shape && propertyIn(shape, name, isVerbatim === true ? "pascal" : naming);
    if (isVerbatim === true) return found ?? name;
    if (found !== undefined || (shape !== undefined && shape.open !== true)) return found;
    return isMadeFromVendor ? convertedName(name, naming) : undefined;
  }

  #valueOf(
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
    if (made.kind !== "value") return made;
    const ruled = this.#apply(made.value, rule, use, path);
    return ruled.kind === "value" ? value(fitTo(ruled.value, use.shape)) : ruled;
  }

  #apply(made: Json, rule: PropertyRule | undefined, use: PlacedUse, path: string): Converted {
    const words: RuleWords = {
      argument: (name) => this.#argument(name, use),
      variable: (reference) => this.#values.variable(reference),
      inOurWords: (initial) => {
        const reason = "The provider's API has other words for it than the source's variable.";
        return this.#ask(use, `${path} ${rule?.to}`, reason, use.isSecret, initial);
      },
    };
    return applyRule(made, rule, words);
  }

  /** What the resource says of an argument, or its provider. */
  #argument(name: string, use: PlacedUse): Json {
    const { source, scope } = this.#resource;
    const own = source.settings.members.find((member) => member.name === name);
    const given =
      own === undefined
        ? settingOfProvider(scope, source.provider, name)
        : { value: own.value, scope: this.#resource.settingsFrom ?? scope };
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
    use: PlacedUse,
    path: string,
  ): Converted {
    const found = writtenOut(given, use.scope);
    const blocks = found.expression.kind === "list" ? found.expression.items : [found.expression];
    if (found.variable !== undefined) this.#gap("not_expressible", path, use.line, fixedDefault);
    const objects: Json[] = [];
    for (const block of blocks) {
      if (block.kind !== "object") return cannot("Its blocks are computed.");
      const isOne = ({ name }: Member) => Object.hasOwn(each, name);
      const shape = use.shape?.items;
      const shared = this.#shaped(
        { kind: "object", members: block.members.filter((one) => !isOne(one)) },
        rule,
        {
          ...use,
          scope: found.scope,
          shape: { ...shape, object: withoutRequired(shape?.object) } as ValueShape,
        },
        path,
      );
      for (const one of block.members.filter(isOne))
        for (const item of this.#eachItem(one, `${path}.${one.name}`, found.scope)) {
          const object = shared.kind === "value" ? structuredClone(asMap(shared.value)) : {};
          writeAt(object, each[one.name] ?? one.name, item);
          objects.push(object);
        }
    }
    return value(objects);
  }

  /** The items of a list that is written out, or the one value. */
  #eachItem(member: Member, path: string, scope: Scope): Json[] {
    const found = writtenOut(member.value, scope);
    const isList = found.expression.kind === "list";
    const given =
      found.variable === undefined || isList ? found : { expression: member.value, scope };
    if (found.variable !== undefined && isList)
      this.#gap("not_expressible", path, member.line, fixedDefault);
    const use = this.#use(member, isList ? { type: "array" } : undefined, given.scope);
    const made = this.#values.convert(given.expression, given.scope, use);
    if (made.kind === "absent") return [];
    if (made.kind === "value" && !isCall(made.value) && !this.#isCompound(made.value))
      return [made.value].flat();
    const reason = made.kind === "value" ? "Nothing tells how many they are." : made.reason;
    this.#gap("not_expressible", path, member.line, reason);
    return [];
  }

  /** A reference to a variable that stands for more than one value. */
  #isCompound(made: Json): boolean {
    const type = isReference(made) ? this.#values.variable(made)?.["type"] : undefined;
    return type === "array" || type === "object" || type === "any";
  }

  #isRenamed(rule: PropertyRule | undefined, { shape }: PlacedUse): boolean {
    const isSame = this.#resource.mapped.naming === "same" && rule === undefined;
    return !isSame && isRestructured(rule, shape);
  }

  /** Objects and lists are converted member by member, so that what cannot be said of one loses that one alone. */
  #shaped(
    given: Expression,
    rule: PropertyRule | undefined,
    use: PlacedUse,
    path: string,
    isVerbatim = false,
  ): Converted {
    const isNamed = given.kind === "reference" || given.kind === "call";
    const found = isNamed ? writtenOut(given, use.scope) : undefined;
    if (found?.expression.kind === "list" || found?.expression.kind === "object") {
      const isFixed = found.variable !== undefined;
      if ((!isFixed || this.#isRenamed(rule, use)) && this.#values.follow()) {
        if (isFixed) this.#gap("not_expressible", path, use.line, fixedDefault);
        const inside = { ...use, scope: found.scope };
        return this.#shaped(found.expression, rule, inside, path, isVerbatim);
      }
    }
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
    if (given.kind === "list" && given.items.some(({ kind }) => kind === "object"))
      return this.#items(given.items, rule, use, path, isVerbatim);
    if (given.kind === "object" && keepsKeys(rule, use.shape))
      return this.#map(given.members, use, path);
    if (given.kind !== "object") {
      const made = this.#values.convert(given, use.scope, use);
      return made.kind === "value" && this.#isCompound(made.value) && this.#isRenamed(rule, use)
        ? cannot("What it has in it has other names in the provider's API.")
        : made;
    }
    const into: JsonMap = {};
    const shape = use.shape?.object;
    const { scope, isSecret = false } = use;
    const rules = rulesOf(rule);
    const inside: Target = { into, shape, scope, path: `${path}.`, rules, isSecret, isVerbatim };
    const isEntry = path === "properties" && isSecretEntry(this.#resource.source.type);
    const hasSecret = isEntry || namesSecret(given.members);
    for (const one of weakLast(given.members, rules))
      this.#member(one, inside, hasSecret && /^value$/i.test(one.name));
    if (rule?.wrap === undefined) fill(into, rule?.defaults);
    this.#requireAll(into, shape, path);
    return value(into);
  }

  #items(
    given: readonly Expression[],
    rule: PropertyRule | undefined,
    use: PlacedUse,
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
  #map(members: readonly Member[], use: PlacedUse, path: string): Converted {
    const entries: [string, Json][] = [];
    const shape = use.shape?.items;
    const rule = shape?.object === undefined ? ({ to: "", as: "keys" } as const) : undefined;
    for (const member of members) {
      const at = `${path}.${member.name}`;
      const isSecret = isSecretMember(member.name, use.isSecret === true);
      const own = { ...this.#use(member, shape, use.scope), name: member.name, isSecret };
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
      const use: PlacedUse = {
        scope,
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

  #ask(use: Use, what: string, reason: string, isSecret = false, initial?: Json): string {
    const { scope, source } = this.#resource;
    const key = `${scope.prefix}${source.address} ${what}`;
    return this.#values.ask(use, key, reason, isSecret, initial);
  }

  #use(member: Member, shape: ValueShape | undefined, at: Scope): PlacedUse {
    const { source, scope } = this.#resource;
    return {
      scope: at,
      own: this.#resource.name,
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

/** Whoever needs an object needs what belongs to it as well: a gateway is of no use before it is attached. */
function waitedFor({ read, unnamed }: ReturnType<DraftValues["takeRead"]>): DraftedResource[] {
  return [...unnamed, ...read.flatMap(({ beside }) => beside)];
}

function alsoSay({ into }: Target, rule: PropertyRule | undefined): void {
  for (const [at, also] of Object.entries(rule?.also ?? {}))
    writeAt(into, at, structuredClone(also));
}

function isNothing(given: Expression): boolean {
  if (given.kind === "list") return given.items.length === 0;
  return given.kind === "literal" && given.value === null;
}

function asMap(of: Json | undefined): JsonMap {
  return isJsonMap(of) ? of : {};
}
