/**
 * What may stand at a place of a template, by the JSON Schema of templates and by the template itself. Pure; the editor
 * shows it (template.js).
 */
import { namesIn, openExpression, placeAt, siblingsOf } from "./template-outline.js";

/** What is always there to refer to. */
const control = {
  instance: ["id", "name"],
  tenant: ["id", "slug"],
  target: ["name", "region", "environment"],
};
const MAX_DEPTH = 40;

/**
 * `lines`: the whole template; the cursor is at the end of `before`, the start of the line `at`. `functions`: those of
 * expressions (src/engine/expressions/function-words.ts). Each option has its `label`; perhaps `info`, `detail`, and
 * `adds`, what follows a key: `value` or `lines`. `from`: where in the line the options' text starts. `areTypes`: a
 * provider may have more. Undefined: nothing is known of this place.
 */
export function completionsAt(schema, lines, at, before, functions = []) {
  const expression = openExpression(before);
  const place = placeAt(lines, at, before);
  if (expression?.isQuoted) return undefined;
  if (expression !== undefined) {
    const names = namesIn(lines);
    const [section, name] = place?.path ?? [];
    const isLoop = section === "resources" && names.resources.get(name)?.isLoop === true;
    return inExpression(schema, { ...names, isLoop, functions }, expression.text, before.length);
  }
  if (place === undefined) return undefined;
  const { path, key, text, column, beside } = place;
  const type = path[0] === "resources" ? namesIn(lines).resources.get(path[1])?.type : undefined;
  const schemas = schemasAt(schema, key === undefined ? path : [...path, key], type);
  const from = before.length - text.length;
  const areTypes = path.length === 2 && path[0] === "resources" && key === "type";
  if (key !== undefined) return found(from, valuesOf(schemas), areTypes);
  const present = beside === undefined ? siblingsOf(lines, at, column) : new Set(beside);
  const unfit = path.length === 2 && path[0] === "resources" ? unfitBeside(present) : [];
  const keys = keysOf(schema, schemas, type)
    .filter(({ label }) => !present.has(label) && !unfit.includes(label))
    // Within braces everything stays in its line.
    .map((one) => (beside === undefined ? one : { ...one, adds: "value" }));
  // A list of texts, such as `dependsOn`, has values where a map has keys.
  return found(from, [...keys, ...valuesOf(schemas)]);
}

/** The types of the template's resources of which the schema does not tell the properties. */
export function typesToAsk(schema, lines) {
  return typesIn(lines).filter((type) => !isDescribed(schema, type));
}

/** Those of which it does. */
export function describedTypes(schema, lines) {
  return typesIn(lines).filter((type) => isDescribed(schema, type));
}

function typesIn(lines) {
  const types = [...namesIn(lines).resources.values()].map(({ type }) => type);
  return [...new Set(types)].filter(Boolean);
}

/** A resource has a type, a component has none. */
function unfitBeside(present) {
  if (present.has("component")) return ["type", "get"];
  return present.has("type") ? ["component", "version"] : [];
}

function isDescribed({ $defs }, type) {
  return $defs.resource.allOf.some((rule) => rule.if?.properties?.type?.const === type);
}

function found(from, options, areTypes = false) {
  return options.length === 0 ? undefined : { from, options, areTypes };
}

/** A path and a dot at the end of an expression, and the start of a name after them. */
const PATH = /((?:[A-Za-z_$][\w$-]*(?:\[[^[\]]*\])*\.\??)*)([A-Za-z_$][\w$-]*)?$/;

/** `end`: where the expression ends in its line. */
function inExpression(schema, known, text, end) {
  const [whole, path, typed = ""] = PATH.exec(text);
  const isAfterValue = /\.\??$/.test(text.slice(0, text.length - whole.length));
  const isMember = path !== "" || isAfterValue;
  const options = isMember
    ? [...(isAfterValue ? [] : membersAt(schema, known, path)), ...methods(known, path)]
    : namesOf(known);
  return found(end - typed.length, options);
}

function namesOf({ config, variables, resources, isLoop, functions }) {
  return [
    ...config.map((label) => ({ label, detail: "config" })),
    ...variables.map((label) => ({ label, detail: "variable" })),
    ...[...resources].map(([label, { type, component }]) => ({
      label,
      detail: type ?? component ?? "resource",
    })),
    ...(isLoop ? [{ label: "each", detail: "key, value" }] : []),
    { label: "control", detail: "instance, tenant, target" },
    ...functions.filter(({ isMethod }) => !isMethod).map((one) => called(one, one.name)),
  ];
}

function membersAt(schema, { resources, isLoop }, path) {
  const [root, ...members] = path.split(/\.\??/).slice(0, -1);
  const [name, index] = root.split("[", 2);
  const labels = (all) => (all ?? []).map((label) => ({ label }));
  if (name === "control" && members.length < 2)
    return labels(members.length === 0 ? Object.keys(control) : ownOf(control, members[0]));
  if (name === "each" && isLoop) return labels(members.length === 0 ? ["key", "value"] : []);
  const { type, isLoop: isMap } = resources.get(name) ?? {};
  if (type === undefined || members.length > 0 || isMap !== (index !== undefined)) return [];
  const schemas = schemasAt(schema, ["resources", name, "properties"], type);
  const properties = keysOf(schema, schemas, type).filter(({ label }) => !isCall(label));
  return [
    { label: "id", detail: "the provider's id" },
    ...properties
      .filter(({ label }) => label !== "id")
      .map(({ label, info }) => ({ label, ...(info && { info }) })),
  ];
}

/** The methods of values, after their members; after a namespace, its functions. */
function methods({ functions }, path) {
  const inNamespace = functions.filter(({ name }) => path !== "" && name.startsWith(path));
  if (inNamespace.length > 0)
    return inNamespace.map((one) => called(one, one.name.slice(path.length)));
  return functions.filter(({ isMethod }) => isMethod).map((one) => called(one, one.name));
}

function called({ form, description }, label) {
  return { label, detail: form, info: description, boost: -50 };
}

/** The schemas that a value at this path has to meet. `type`: of the resource in which it is. */
function schemasAt(root, path, type) {
  let schemas = [...partsOf(root, root, type)];
  for (const key of path)
    schemas = schemas
      .flatMap((schema) => childrenOf(schema, key))
      .flatMap((child) => [...partsOf(root, child, type)]);
  return [...new Set(schemas)];
}

function childrenOf(schema, key) {
  if (key === "[]") return isSchema(schema.items) ? [schema.items] : [];
  const own = ownOf(schema.properties ?? {}, key);
  if (own !== undefined) return isSchema(own) ? [own] : [];
  return isSchema(schema.additionalProperties) ? [schema.additionalProperties] : [];
}

/** The schema, and all that it takes over from others, whichever of its conditions hold. */
function* partsOf(root, schema, type, depth = 0) {
  if (!isSchema(schema) || depth > MAX_DEPTH) return;
  yield schema;
  const { $ref, allOf = [], anyOf = [], oneOf = [] } = schema;
  if ($ref !== undefined) yield* partsOf(root, referred(root, $ref), type, depth + 1);
  const wanted = schema.if?.properties?.type?.const;
  const branches = wanted === undefined || wanted === type ? [schema.then, schema.else] : [];
  for (const one of [...allOf, ...anyOf, ...oneOf, ...branches])
    yield* partsOf(root, one, type, depth + 1);
}

function referred(root, reference) {
  return ownOf(root.$defs, reference.slice("#/$defs/".length));
}

function keysOf(root, schemas, type) {
  // What only requires something is one of several alternatives.
  const rules = schemas.filter((schema) => Object.keys(schema).length > 1);
  const required = new Set(rules.flatMap((schema) => schema.required ?? []));
  const known = new Map();
  for (const { properties = {} } of schemas)
    for (const [label, schema] of Object.entries(properties))
      if (isSchema(schema)) known.set(label, [...(known.get(label) ?? []), schema]);
  return [...known]
    .filter(([, all]) => !all.some(({ doNotSuggest }) => doNotSuggest === true))
    .map(([label, all]) => {
      const parts = all.flatMap((schema) => [...partsOf(root, schema, type)]);
      const info = parts.find(({ description }) => description !== undefined)?.description;
      return {
        label,
        adds: isWrittenInLines(parts) ? "lines" : "value",
        ...(info !== undefined && { info }),
        ...(required.has(label) && { detail: "required" }),
        // Functions fit everywhere: they come last.
        boost: isCall(label) ? -90 : required.has(label) ? 50 : 0,
      };
    });
}

/** A map of names that are known, or of things with names; nothing that is shorter as a list or a word. */
function isWrittenInLines(schemas) {
  if (valuesOf(schemas).length > 0 || [schemas[0]?.type].flat().includes("array")) return false;
  return schemas.some(
    ({ properties = {}, propertyNames, additionalProperties }) =>
      Object.keys(properties).some((name) => !isCall(name)) ||
      (propertyNames !== undefined && isSchema(additionalProperties)),
  );
}

function valuesOf(schemas) {
  const values = new Map();
  for (const schema of schemas) {
    const { enum: all = [], const: only, examples = [], markdownEnumDescriptions: infos } = schema;
    all.forEach((value, at) => add(value, infos?.[at]));
    if (only !== undefined) add(only);
    examples.forEach((value) => add(value));
    if (isFlag(schema)) [true, false].forEach((value) => add(value));
  }
  return [...values.values()];

  function add(value, info) {
    if (value === null || typeof value === "object") return;
    const label = String(value);
    if (!values.has(label)) values.set(label, { label, ...(info && info !== label && { info }) });
  }
}

/** A flag, or a reference or a function call that gives one. */
function isFlag({ type = [] }) {
  const types = [type].flat();
  return (
    types.includes("boolean") &&
    types.every((one) => ["boolean", "string", "object", "null"].includes(one))
  );
}

function isCall(label) {
  return label.startsWith("fn::");
}

function isSchema(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownOf(map, key) {
  return Object.hasOwn(map ?? {}, key) ? map[key] : undefined;
}
