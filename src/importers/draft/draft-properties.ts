/** Converts the settings of a resource of the source to the properties of ours. */
import type { Expression, Member } from "#importers/expression.ts";
import { isSecretSetting } from "#importers/hidden-values.ts";
import type { PropertyMapping, PropertyRule } from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { cannot, type Converted, escaped, isCall, isReference, value } from "./converted.ts";
import type { DraftedResource, DraftValues, Use } from "./draft-values.ts";
import type { DraftGap, GapCode } from "./draft.ts";
import { fitTo } from "./fit-to.ts";
import { converted as convertedName, propertyIn } from "./name-of-property.ts";

interface Target {
  into: JsonMap;
  shape: ObjectShape | undefined;
  /** Of the source, for gaps: `ingress[0].`. */
  path: string;
  rules: ReadonlyMap<string, PropertyMapping>;
}

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
    const { source, mapped, facts } = this.#resource;
    const properties: JsonMap = {};
    const shape = facts?.shape ?? topShape(this.#resource);
    const top: Target = { into: properties, shape, path: "", rules: mapped.rules };
    const under =
      mapped.under === undefined
        ? undefined
        : ({ ...top, into: {}, shape: shape?.properties[mapped.under]?.object } satisfies Target);
    for (const member of this.#membersOf(source.settings.members))
      this.#member(
        member,
        under !== undefined && !this.#belongsToTop(member, top, under) ? under : top,
      );
    if (mapped.under !== undefined && under !== undefined && Object.keys(under.into).length > 0)
      properties[mapped.under] = { ...asMap(properties[mapped.under]), ...under.into };
    fill(properties, mapped.defaults);
    for (const [path, fixed] of Object.entries(mapped.set ?? {}))
      writeAt(properties, path, structuredClone(fixed));
    this.#requireAll(properties, shape);
    return { properties, gaps: this.#gaps };
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

  #member(member: Member, target: Target, isSecret = false): void {
    const mapping = target.rules.get(member.name);
    if (mapping === null) return;
    const path = `${target.path}${member.name}`;
    const rule = ruleOf(mapping, convertedName(member.name, this.#resource.mapped.naming));
    if (mapping === false) {
      this.#gap("no_property", path, member.line, "Our type has nothing like it.");
      return;
    }
    if (rule?.to === "") return this.#lift(member, target, rule, path);
    const to = rule?.to ?? this.#nameFor(member.name, target);
    const shape = shapeAt(target.shape, to);
    if (to === undefined || shape?.readOnly === true) {
      this.#gap("no_property", path, member.line, "Our type has no property for it.");
      return;
    }
    const use = this.#use(member, shape);
    const made = this.#secretOr(member, use, isSecret, () =>
      this.#valueOf(member.value, rule, use, path),
    );
    if (made.kind === "value") writeAt(target.into, to, made.value);
    else if (isRequired(target.shape, to))
      writeAt(target.into, to, this.#ask(use, path, made.reason));
    else {
      const code = made.kind === "absent" ? "null_default" : "not_expressible";
      if (made.kind === "cannot" || member.value.kind !== "literal")
        this.#gap(code, path, member.line, made.reason);
    }
  }

  /** The members of a block stand where the block would. */
  #lift(member: Member, target: Target, rule: PropertyRule, path: string): void {
    const given = onlyItem(member.value);
    if (given.kind !== "object") {
      this.#gap("not_expressible", path, member.line, "It is no single block.");
      return;
    }
    const inside: Target = { ...target, path: `${path}.`, rules: rulesOf(rule) };
    for (const one of given.members) this.#member(one, inside);
  }

  #nameFor(name: string, { shape }: Target): string | undefined {
    const { mapped, facts } = this.#resource;
    if (name === "__proto__") return undefined;
    if (shape === undefined) return convertedName(name, mapped.naming);
    const found = propertyIn(shape, name, mapped.naming);
    if (found !== undefined) return found;
    const isOpen = shape.open === true && facts?.shape === undefined;
    return isOpen ? convertedName(name, mapped.naming) : undefined;
  }

  #valueOf(given: Expression, rule: PropertyRule | undefined, use: Use, path: string): Converted {
    const made =
      rule?.each === undefined
        ? this.#shaped(given, rule, use, path)
        : this.#spread(given, rule, rule.each, use, path);
    if (made.kind !== "value") return made;
    const ruled = applyRule(made.value, rule);
    return ruled.kind === "value" ? value(fitTo(ruled.value, use.shape)) : ruled;
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
  #shaped(given: Expression, rule: PropertyRule | undefined, use: Use, path: string): Converted {
    const { scope } = this.#resource;
    const isList = use.shape?.type === "array";
    if (given.kind === "object" && isList && !keepsKeys(rule, use.shape))
      return this.#shaped({ kind: "list", items: [given] }, rule, use, path);
    if (given.kind === "list" && use.shape?.type === "object" && given.items.length === 1)
      return this.#shaped(onlyItem(given), rule, use, path);
    if (given.kind === "list" && given.items.some(({ kind }) => kind === "object")) {
      const items: Json[] = [];
      for (const [at, item] of given.items.entries()) {
        const one = this.#shaped(item, rule, { ...use, shape: use.shape?.items }, `${path}[${at}]`);
        if (one.kind === "value") items.push(one.value);
        else this.#gap("not_expressible", `${path}[${at}]`, use.line, one.reason);
      }
      return value(items);
    }
    if (given.kind === "object" && !keepsKeys(rule, use.shape)) {
      const into: JsonMap = {};
      const shape = use.shape?.object;
      const inside: Target = { into, shape, path: `${path}.`, rules: rulesOf(rule) };
      const isSecret = namesSecret(given.members);
      for (const one of given.members)
        this.#member(one, inside, isSecret && /^value$/i.test(one.name));
      fill(into, rule?.defaults);
      this.#requireAll(into, shape, path);
      return value(into);
    }
    if (given.kind === "object") return this.#map(given.members, use, path);
    if (given.kind === "reference" && rule?.reads !== undefined && given.path[0] === "id")
      return this.#values.convert({ ...given, path: [rule.reads] }, scope, use);
    if (
      given.kind === "call" &&
      /^jsonencode$/.test(given.name) &&
      wantsStructure(use.shape, rule)
    ) {
      const [inside] = given.args;
      if (inside !== undefined) return this.#shaped(inside, rule, use, path);
    }
    return this.#values.convert(given, scope, use);
  }

  /** A map whose keys are the user's. */
  #map(members: readonly Member[], use: Use, path: string): Converted {
    const entries: [string, Json][] = [];
    for (const member of members) {
      const own = { ...this.#use(member, use.shape?.items), name: member.name };
      const made = this.#secretOr(member, own, false, () =>
        this.#shaped(member.value, { to: "", as: "keys" }, own, `${path}.${member.name}`),
      );
      if (made.kind === "value")
        entries.push([escaped(member.name), fitTo(made.value, use.shape?.items)]);
      else if (made.kind === "cannot")
        this.#gap("not_expressible", `${path}.${member.name}`, member.line, made.reason);
    }
    return value(Object.fromEntries(entries));
  }

  /** A secret that the source writes out is asked for: a template is no place for it. */
  #secretOr(member: Member, use: Use, isTold: boolean, otherwise: () => Converted): Converted {
    const { facts } = this.#resource;
    const isSecret =
      hasLiteralText(member.value) &&
      (isTold ||
        isSecretSetting(member.name) ||
        facts?.writeOnly.some((path) => path.split(".").at(-1) === use.name) === true ||
        holdsCredentials(member.value));
    if (!isSecret) return otherwise();
    const reason = "The source writes it out; it could be a secret.";
    const text = { ...use, shape: { type: "string" } } satisfies Use;
    return value(this.#ask(text, `${member.name} ${member.line}`, reason, true));
  }

  /** What our type cannot do without is asked for. */
  #requireAll(into: JsonMap, shape: ObjectShape | undefined, path = ""): void {
    const { source, facts } = this.#resource;
    const required =
      path === ""
        ? [...(facts?.required ?? []), ...(shape?.required ?? [])]
        : (shape?.required ?? []);
    for (const name of new Set(required)) {
      const own = shape?.properties[name];
      if (Object.hasOwn(into, name) || own?.readOnly === true) continue;
      const use: Use = {
        address: source.address,
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
function topShape({ facts }: DraftedResource): ObjectShape | undefined {
  if (facts?.properties === undefined) return undefined;
  return { properties: facts.properties, required: facts.required };
}

function ruleOf(mapping: PropertyMapping | undefined, name: string): PropertyRule | undefined {
  if (mapping === undefined || mapping === null || mapping === false) return undefined;
  if (mapping === true) return { to: name };
  return typeof mapping === "string" ? { to: mapping } : mapping;
}

function withoutRequired(shape: ObjectShape | undefined): ObjectShape | undefined {
  return shape === undefined ? undefined : { ...shape, required: [] };
}

/** Writes what is not there yet, by paths. */
function fill(into: JsonMap, defaults: Readonly<Record<string, Json>> | undefined): void {
  for (const [path, initial] of Object.entries(defaults ?? {}))
    if (readAt(into, path) === undefined) writeAt(into, path, structuredClone(initial));
}

function rulesOf(rule: PropertyRule | undefined): ReadonlyMap<string, PropertyMapping> {
  return new Map(Object.entries(rule?.members ?? {}));
}

function keepsKeys(rule: PropertyRule | undefined, shape: ValueShape | undefined): boolean {
  if (rule?.as === "pairs" || rule?.as === "keys") return true;
  return shape?.type === "object" && shape.object === undefined && shape.items !== undefined;
}

function wantsStructure(shape: ValueShape | undefined, rule: PropertyRule | undefined): boolean {
  return rule?.as === "parsed" || shape?.type === "object" || shape?.type === "array";
}

function applyRule(made: Json, rule: PropertyRule | undefined): Converted {
  if (rule === undefined) return value(made);
  const { values, wrap } = rule;
  const named =
    values !== undefined && typeof made === "string" && Object.hasOwn(values, made)
      ? (values[made] ?? made)
      : made;
  if (rule.onlyReferences === true && ![named].flat().every((one) => isReference(one)))
    return cannot(
      "The source names another object in words that the provider's API does not take.",
    );
  const shaped = shapedBy(named, rule);
  if (rule.one === true && Array.isArray(shaped)) {
    const [only] = shaped;
    if (shaped.length !== 1 || only === undefined) return cannot("Our type takes one of them.");
    return value(wrapped(only, wrap));
  }
  const all = rule.many === true && !Array.isArray(shaped) ? [shaped] : shaped;
  return value(Array.isArray(all) ? all.map((item) => wrapped(item, wrap)) : wrapped(all, wrap));
}

function wrapped(item: Json, member: string | undefined): Json {
  return member === undefined ? item : { [member]: item };
}

function shapedBy(made: Json, { as }: PropertyRule): Json {
  if (as === "pairs" && isJsonMap(made) && !isCall(made))
    return Object.entries(made).map(([Key, Value]): JsonMap => ({ Key, Value }));
  if (as === "text" && (typeof made === "number" || typeof made === "boolean")) return String(made);
  if (as === "parsed" && typeof made === "string" && !made.includes("${")) return parsed(made);
  if (as === "parsed" && isJsonMap(made)) return made["fn::toJSON"] ?? made;
  return made;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function onlyItem(given: Expression): Expression {
  const [only] = given.kind === "list" ? given.items : [];
  return given.kind === "list" && given.items.length === 1 && only !== undefined ? only : given;
}

function hasLiteralText(given: Expression): boolean {
  if (given.kind === "literal") return typeof given.value === "string" && given.value !== "";
  if (given.kind === "text") return given.parts.some(hasLiteralText);
  return given.kind === "call" && given.args.some(hasLiteralText);
}

/** A text with a user and a password before the host. */
function holdsCredentials(given: Expression): boolean {
  const parts = given.kind === "text" ? given.parts : [given];
  return parts.some(
    (one) =>
      one.kind === "literal" &&
      typeof one.value === "string" &&
      /:\/\/[^/@\s]{0,512}:[^/@\s]{1,512}@/.test(one.value),
  );
}

/** `{ name: "DB_PASSWORD", value: "…" }` says in one member that the other is a secret. */
function namesSecret(members: readonly Member[]): boolean {
  const named = members.find(({ name }) => /^(?:name|key)$/i.test(name))?.value;
  return (
    named?.kind === "literal" && typeof named.value === "string" && isSecretSetting(named.value)
  );
}

function shapeAt(shape: ObjectShape | undefined, path: string | undefined): ValueShape | undefined {
  if (path === undefined) return undefined;
  let at: ObjectShape | undefined = shape;
  let found: ValueShape | undefined;
  for (const step of path.split(".")) {
    found =
      at !== undefined && Object.hasOwn(at.properties, step) ? at.properties[step] : undefined;
    at = found?.object;
  }
  return found;
}

function isRequired(shape: ObjectShape | undefined, path: string): boolean {
  return shape?.required?.includes(path) === true;
}

function asMap(of: Json | undefined): JsonMap {
  return isJsonMap(of) ? of : {};
}

function readAt(of: JsonMap, path: string): Json | undefined {
  let at: Json | undefined = of;
  for (const step of path.split("."))
    at = isJsonMap(at) && Object.hasOwn(at, step) ? at[step] : undefined;
  return at;
}

/** Writes at a path, making the objects on the way; what is there and both are lists becomes one. */
function writeAt(into: JsonMap, path: string, made: Json): void {
  const steps = path.split(".");
  const last = steps.pop() ?? path;
  let at = into;
  for (const step of steps) {
    const next = asMap(at[step]);
    at[step] = next;
    at = next;
  }
  const before = at[last];
  if (Array.isArray(before) && Array.isArray(made)) at[last] = [...before, ...made];
  else if (isJsonMap(before) && isJsonMap(made) && !isCall(made)) at[last] = { ...before, ...made };
  else at[last] = made;
}
