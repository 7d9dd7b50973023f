/**
 * The problems of a table: names that our types do not have, rules without effect. For the test of the tables, not for
 * imports.
 */
import type {
  BesideMapping,
  MappingTable,
  PropertyMapping,
  PropertyRule,
  TypeMapping,
} from "#importers/mappings/type-mapping.ts";
import { isJsonMap, type Json } from "#platform/json.ts";
import type { ObjectShape, TypeFacts, ValueShape } from "#providers/provider.ts";

/** Undefined: nothing is known about it. */
type Known = ValueShape | undefined;

interface Place {
  table: MappingTable;
  /** The shape of the object in which the rules' paths begin. */
  shape: ObjectShape | undefined;
  /** The destination of names without a rule. */
  under: ObjectShape | undefined;
  underPath: string;
  at: string;
}

/** All mappings by the source's type, with the variants that the value of an argument chooses. */
export function mappingsOf({ types, variants = {} }: MappingTable): [string, TypeMapping][] {
  return [
    ...Object.entries(types),
    ...Object.entries(variants).flatMap(([source, { of }]) =>
      Object.entries(of).map(([kind, one]): [string, TypeMapping] => [`${source} ${kind}`, one]),
    ),
  ];
}

/** Sentences about a table, each with the address of a problem; none if there is no problem. */
export function tableProblems(
  table: MappingTable,
  factsOf: (type: string) => TypeFacts | undefined,
): string[] {
  return [
    ...mappingsOf(table).flatMap(([source, mapping]) => [
      ...mappingProblems(table, source, mapping, factsOf(mapping.type)),
      ...(mapping.beside ?? []).flatMap((one) => besideProblems(table, source, one, factsOf)),
    ]),
    ...Object.entries(table.parts ?? {}).flatMap(([source, part]) => {
      const whole = shapeOf(factsOf(part.type));
      if (part.item === undefined)
        return ruleProblems(placeIn(table, whole, source), part.properties ?? {});
      const item = objectOf(valueAt(whole, part.item).value?.items);
      return [
        ...pathProblems(whole, part.item, `${source} item`),
        ...valueProblems(item, part.defaults ?? {}, `${source} defaults`),
        ...ruleProblems(placeIn(table, item, source), part.properties ?? {}),
      ];
    }),
    ...commonProblems(table, factsOf),
  ];
}

function placeIn(table: MappingTable, shape: ObjectShape | undefined, at: string): Place {
  return { table, shape, under: shape, underPath: "", at };
}

function mappingProblems(
  table: MappingTable,
  source: string,
  mapping: TypeMapping,
  facts: TypeFacts | undefined,
): string[] {
  const shape = shapeOf(facts);
  const under = mapping.under === undefined ? shape : objectOf(valueAt(shape, mapping.under).value);
  const place = { table, shape, under, underPath: mapping.under ?? "", at: source };
  return [
    ...(mapping.under === undefined ? [] : pathProblems(shape, mapping.under, `${source} under`)),
    ...ruleProblems(place, mapping.properties ?? {}),
    ...valueProblems(shape, mapping.set ?? {}, `${source} set`),
    ...valueProblems(shape, mapping.defaults ?? {}, `${source} defaults`),
    ...(facts === undefined ? [] : outputProblems(table, mapping, facts, source)),
  ];
}

function besideProblems(
  table: MappingTable,
  source: string,
  { each, type, of, to, members = {}, set = {} }: BesideMapping,
  factsOf: (type: string) => TypeFacts | undefined,
): string[] {
  const shape = shapeOf(factsOf(type));
  const at = `${source} beside ${each}`;
  return [
    ...pathProblems(shape, of, at),
    ...pathProblems(shape, to ?? "", at),
    ...ruleProblems(placeIn(table, shape, at), members),
    ...valueProblems(shape, set, `${at} set`),
  ];
}

/** The rules of all types together: each must be of use for one type. */
function commonProblems(
  table: MappingTable,
  factsOf: (type: string) => TypeFacts | undefined,
): string[] {
  const facts = [...new Set(Object.values(table.types).map(({ type }) => type))].map(factsOf);
  return Object.entries(table.common ?? {}).flatMap(([name, rule]) => {
    if (rule === null || rule === false) return [];
    const isOfUse = facts.some((one) => {
      const place = placeIn(table, shapeOf(one), "common");
      return ruleProblems(place, { [name]: rule }).length === 0;
    });
    return isOfUse ? [] : [`common.${name} fits no type of the table`];
  });
}

/** With names alone where no more is known; undefined: any. */
function shapeOf(facts: TypeFacts | undefined): ObjectShape | undefined {
  return facts?.shape ?? (facts?.properties && { properties: facts.properties });
}

function ruleProblems(place: Place, rules: Readonly<Record<string, PropertyMapping>>): string[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    const at = `${place.at}.${name}`;
    const own = namedIn(place, name);
    const isOpen = place.under?.open ?? place.under === undefined;
    // A description that an operator's catalogue has may have the name.
    const isTaken = own !== undefined || isOpen;
    if (rule === null) return [];
    const isCommon = Object.hasOwn(place.table.common ?? {}, name);
    if (rule === false)
      return isTaken || isCommon ? [] : [`${at}: false says nothing, ours has no such name`];
    if (rule === true)
      return isOpen && place.table.madeFromVendor === undefined
        ? []
        : [`${at}: true says nothing where the shape is known or the names are the vendor's`];
    const natural = own ?? (isOpen ? converted(name, place.table.naming) : "");
    const naturalPath = [place.underPath, natural].filter((part) => part !== "").join(".");
    return rulesIn(rule).flatMap((full) =>
      Object.keys(full).length === 1 && full.to === naturalPath && isSaidByNaming(place, own)
        ? [`${at}: the naming says this already`]
        : [...pathProblems(place.shape, full.to, at), ...fullRuleProblems(place, full, at)],
    );
  });
}

/** The rules that a mapping stands for. */
function rulesIn(mapping: PropertyMapping): readonly PropertyRule[] {
  if (mapping === null || typeof mapping === "boolean") return [];
  if (typeof mapping === "string") return [{ to: mapping }];
  return [mapping, ...(mapping.more ?? []).flatMap(rulesIn)];
}

/** Where no shape tells that there is such a property, only a table of the vendor's own names says it. */
function isSaidByNaming({ table }: Place, own: string | undefined): boolean {
  return own !== undefined || table.madeFromVendor === true;
}

function fullRuleProblems({ table, shape }: Place, rule: PropertyRule, at: string): string[] {
  const value: Known =
    rule.to === "" ? shape && { type: "object", object: shape } : valueAt(shape, rule.to).value;
  const problems: string[] = [];
  const expects = (type: NonNullable<ValueShape["type"]>, because: string): void => {
    const known = value?.type ?? (value?.enum === undefined ? undefined : "string");
    if (known !== undefined && known !== type)
      problems.push(`${at}: ${because}, but ${rule.to} is of type ${known}`);
  };
  const isList = rule.many ?? (rule.each !== undefined || rule.wrap !== undefined);
  if (rule.many) expects("array", "many makes a list");
  if (rule.each !== undefined) expects("array", "each makes a list");
  if (rule.as === "pairs") expects("array", "pairs are a list");
  if (rule.as === "keys" || rule.as === "entries") expects("object", `${rule.as} are of a map`);
  if (rule.wrap === undefined && (rule.as === "text" || rule.as === "base64"))
    expects("string", "it becomes a text");
  if (rule.one && value?.type === "array") problems.push(`${at}: one, but ${rule.to} is a list`);
  if (rule.members !== undefined && !isList && value?.type === "array")
    problems.push(`${at}: ${rule.to} is a list, so it needs many`);
  const item = objectOf(isList && value?.type === "array" ? value.items : value);
  if (rule.as === "pairs")
    for (const name of rule.pair ?? ["Key", "Value"])
      problems.push(...pathProblems(objectOf(value?.items), name, at));
  for (const member of [
    ...Object.values(rule.each ?? {}),
    ...(rule.wrap === undefined ? [] : [rule.wrap]),
  ])
    problems.push(...pathProblems(item, member, at));
  problems.push(...valueProblems(item, rule.defaults ?? {}, `${at} defaults`));
  for (const one of Object.values(rule.values ?? {}))
    if (
      one !== null &&
      !fits(
        one,
        isList && rule.wrap !== undefined
          ? undefined
          : value?.type === "array"
            ? value.items
            : value,
      )
    )
      problems.push(`${at}: the value ${JSON.stringify(one)} does not fit ${rule.to}`);
  problems.push(...valueProblems(shape, rule.also ?? {}, `${at} also`));
  return [...problems, ...ruleProblems(placeIn(table, item, at), rule.members ?? {})];
}

function outputProblems(
  { naming }: MappingTable,
  { outputs = {} }: TypeMapping,
  facts: TypeFacts,
  source: string,
): string[] {
  return Object.entries(outputs).flatMap(([name, path]) => {
    const at = `${source} outputs.${name}`;
    const natural = converted(name, naming);
    const listed = facts.outputs;
    if (path === null)
      return name === "id" ||
        listed === undefined ||
        listed.some((output) => isSame(output, natural, naming))
        ? []
        : [`${at}: null says nothing, ours has no such output`];
    const [first = ""] = path.split(".");
    if (path === natural && name !== "id") return [`${at}: the naming says this already`];
    if ((path === "id" && name === "id") || listed === undefined) return [];
    if (!listed.includes(first) && first !== "id") return [`${at}: there is no output ${first}`];
    return facts.shape !== undefined && Object.hasOwn(facts.shape.properties, first)
      ? pathProblems(facts.shape, path, at, true)
      : [];
  });
}

function valueProblems(
  shape: ObjectShape | undefined,
  values: Readonly<Record<string, Json>>,
  at: string,
): string[] {
  return Object.entries(values).flatMap(([path, value]) => {
    const problems = pathProblems(shape, path, at);
    if (problems.length > 0 || fits(value, valueAt(shape, path).value)) return problems;
    return [`${at}: ${JSON.stringify(value)} does not fit ${path}`];
  });
}

function pathProblems(
  shape: ObjectShape | undefined,
  path: string,
  at: string,
  isOutput = false,
): string[] {
  if (path === "") return [];
  const { missing, isReadOnly } = valueAt(shape, path);
  if (missing !== undefined) return [`${at}: there is no ${missing} in the path ${path}`];
  return isReadOnly && !isOutput ? [`${at}: only the cloud sets ${path}`] : [];
}

function valueAt(
  shape: ObjectShape | undefined,
  path: string,
): { value: Known; missing?: string; isReadOnly: boolean } {
  let value: Known = shape && { type: "object", object: shape };
  let isReadOnly = false;
  for (const name of path.split(".")) {
    const at: Known = /^\d+$/.test(name) ? value?.items : value;
    if (at !== value) {
      value = at;
      continue;
    }
    const object = objectOf(value);
    if (object === undefined) {
      if (value?.type !== undefined && value.type !== "object")
        return { value: undefined, missing: name, isReadOnly };
      value = value?.items;
      continue;
    }
    if (!Object.hasOwn(object.properties, name)) {
      if (object.open !== true) return { value: undefined, missing: name, isReadOnly };
      value = undefined;
      continue;
    }
    value = object.properties[name];
    isReadOnly ||= value?.readOnly === true;
  }
  return { value, isReadOnly };
}

function objectOf(value: Known): ObjectShape | undefined {
  return value?.object;
}

function fits(value: Json, shape: Known): boolean {
  if (shape === undefined) return true;
  if (shape.enum !== undefined) return shape.enum.includes(value);
  const { object } = shape;
  if (isJsonMap(value)) {
    if (shape.type !== undefined && shape.type !== "object") return false;
    return Object.entries(value).every(
      ([name, member]) =>
        object === undefined ||
        object.open === true ||
        (Object.hasOwn(object.properties, name) && fits(member, object.properties[name])),
    );
  }
  if (Array.isArray(value))
    return (
      (shape.type ?? "array") === "array" && value.every((member) => fits(member, shape.items))
    );
  if (shape.type === "integer") return Number.isInteger(value);
  return shape.type === undefined || typeof value === shape.type;
}

/** The property that a name without a rule becomes. */
function namedIn({ under, table: { naming } }: Place, name: string): string | undefined {
  const wanted = converted(name, naming);
  return under && Object.keys(under.properties).find((own) => isSame(own, wanted, naming));
}

function isSame(one: string, other: string, naming: MappingTable["naming"]): boolean {
  return naming === "same" ? one === other : one.toLowerCase() === other.toLowerCase();
}

function converted(name: string, naming: MappingTable["naming"]): string {
  if (naming === "same") return name;
  const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  return naming === "camel" ? camel : camel.charAt(0).toUpperCase() + camel.slice(1);
}
