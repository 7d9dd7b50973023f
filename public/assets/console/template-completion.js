/**
 * What may stand at a place of a template, by the JSON Schema of templates and by the template itself. Pure; the editor
 * shows it (template.js).
 */
import { namesIn, placeAt, siblingsOf } from "./template-outline.js";

/** What is always there to refer to. */
const control = {
  instance: ["id", "name"],
  tenant: ["id", "slug"],
  target: ["name", "region", "environment"],
};
const MAX_DEPTH = 40;

/**
 * `lines`: the whole template; the cursor is at the end of `before`, the start of the line `at`. Each option has its
 * `label`; perhaps `info`, `detail`, and `adds`, what follows a key: `value` or `lines`. `from`: where in the line the
 * options' text starts. `areTypes`: a provider may have more. Undefined: nothing is known of this place.
 */
export function completionsAt(schema, lines, at, before) {
  const reference = referenceIn(before);
  if (reference !== undefined) return references(schema, namesIn(lines), reference, before.length);
  const place = placeAt(lines, at, before);
  if (place === undefined) return undefined;
  const { path, key, text, column, beside } = place;
  const type = path[0] === "resources" ? namesIn(lines).resources.get(path[1]) : undefined;
  const schemas = schemasAt(schema, key === undefined ? path : [...path, key], type);
  const from = before.length - text.length;
  const areTypes = path.length === 2 && path[0] === "resources" && key === "type";
  if (key !== undefined) return found(from, valuesOf(schemas), areTypes);
  const present = beside === undefined ? siblingsOf(lines, at, column) : new Set(beside);
  const keys = keysOf(schema, schemas, type)
    .filter(({ label }) => !present.has(label))
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
  return [...new Set(namesIn(lines).resources.values())].filter(Boolean);
}

function isDescribed({ $defs }, type) {
  return $defs.resource.allOf.some((rule) => rule.if?.properties?.type?.const === type);
}

function found(from, options, areTypes = false) {
  return options.length === 0 ? undefined : { from, options, areTypes };
}

/** What is typed of a reference that is still open; `$${` is a text. */
function referenceIn(before) {
  const open = before.lastIndexOf("${");
  if (open === -1 || before[open - 1] === "$") return undefined;
  const text = before.slice(open + 2);
  return /[{}\s]/.test(text) ? undefined : text;
}

function references(schema, names, text, end) {
  const parts = text.split(".");
  const typed = parts.pop();
  const options = membersOf(schema, names, parts);
  return found(end - typed.length, options);
}

function membersOf(schema, { config, variables, resources }, [name, member, ...rest]) {
  if (rest.length > 0) return [];
  if (name === undefined)
    return [
      ...config.map((label) => ({ label, detail: "config" })),
      ...variables.map((label) => ({ label, detail: "variable" })),
      ...[...resources].map(([label, type]) => ({ label, detail: type ?? "resource" })),
      { label: "control", detail: "instance, tenant, target" },
    ];
  if (name === "control") {
    const labels = member === undefined ? Object.keys(control) : ownOf(control, member);
    return (labels ?? []).map((label) => ({ label }));
  }
  if (member !== undefined || !resources.has(name)) return [];
  const type = resources.get(name);
  const schemas = schemasAt(schema, ["resources", name, "properties"], type);
  const properties = keysOf(schema, schemas, type).filter(({ label }) => !isCall(label));
  return [
    { label: "id", detail: "the provider's id" },
    ...properties
      .filter(({ label }) => label !== "id")
      .map(({ label, info }) => ({ label, ...(info && { info }) })),
  ];
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
