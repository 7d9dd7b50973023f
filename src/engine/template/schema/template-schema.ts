import type { TemplateCatalog } from "#engine/template/check.ts";
import { builtIns } from "#engine/template/expressions.ts";
import { own } from "#engine/template/own.ts";
import { MAX_NAMES, MAX_RESOURCES } from "#engine/template/parse.ts";
import type { BuiltIn } from "#engine/template/template.ts";
import { formats, jsonTypes, type Kind, keywordKinds } from "#engine/template/value-schema.ts";
import type { JsonMap } from "#platform/json.ts";
import type { PropertyFacts, TypeFacts } from "#providers/provider.ts";
import { aliasSchema, optionsSchema } from "./options-schema.ts";
import { ShapeSchemas } from "./shape-schema.ts";

const NAME = "^[A-Za-z_][A-Za-z0-9_-]{0,62}$";

/**
 * The JSON Schema of a template document, for editors. It covers structure, names, resource types and their properties;
 * `checkTemplate` checks references. `doNotSuggest`, `patternErrorMessage` and `markdownEnumDescriptions` are
 * extensions for YAML language servers; validators ignore them. `id`: its address.
 */
export function templateSchema(catalog: TemplateCatalog, id: string): JsonMap {
  const shapes = new ShapeSchemas();
  const resource = resourceSchema(catalog, shapes);
  return {
    $id: id,
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Template",
    description: "Resources to deploy, in Pulumi YAML syntax with the provider's properties.",
    type: ["object", "null"],
    additionalProperties: false,
    properties: {
      name: { type: "string", description: "The name of the template." },
      description: { type: "string", description: "The purpose of the template." },
      runtime: {
        description: "yaml. Optional.",
        anyOf: [
          { const: "yaml" },
          {
            type: "object",
            properties: { name: { const: "yaml" } },
            required: ["name"],
            additionalProperties: false,
          },
        ],
      },
      config: {
        description:
          "Values that an instance sets: each a declaration, or a default that implies the type.",
        ...named({ $ref: "#/$defs/config" }, MAX_NAMES),
      },
      configuration: {
        description: "The older name of config.",
        doNotSuggest: true,
        ...named({ $ref: "#/$defs/config" }, MAX_NAMES),
      },
      variables: {
        description: "Values to use in several places, as ${name}.",
        ...named({ $ref: "#/$defs/expression" }, MAX_NAMES),
      },
      resources: {
        description:
          "The resources to create, and the components, which are templates used as parts.",
        ...named({ $ref: "#/$defs/resource" }, MAX_RESOURCES),
      },
      outputs: {
        description:
          "Values that an instance publishes to readers and to other instances' bindings.",
        type: ["object", "null"],
        propertyNames: { minLength: 1, maxLength: 128 },
        additionalProperties: { $ref: "#/$defs/expression" },
        maxProperties: MAX_NAMES,
      },
      ...Object.fromEntries(
        ["author", "website", "license", "tags", "version"].map((key) => [
          key,
          { description: "Has no effect.", deprecated: true, doNotSuggest: true },
        ]),
      ),
    },
    if: { required: ["config"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { configuration: false } },
    $defs: {
      config: configDeclaration(),
      valueSchema: valueSchema(),
      expression: expressionSchema(),
      call: callSchema(),
      reference: {
        type: "string",
        pattern: `^\\$\\{${braced(MAX_BRACES)}\\}$`,
        patternErrorMessage:
          "A string here must be a single expression: ${name}, ${name.member}, ${count * 2}.",
      },
      type: typeNames(catalog),
      resource,
      options: optionsSchema(),
      alias: aliasSchema(),
      ...shapes.definitions,
    },
  };
}

/** In an expression of a pattern. */
const MAX_BRACES = 4;
const QUOTED = ['"', "'"]
  .map(
    (quote) =>
      `${quote}{3}([^\\\\]|\\\\[\\s\\S])*?${quote}{3}|${quote}([^${quote}\\\\]|\\\\[\\s\\S])*${quote}`,
  )
  .join("|");

/** A pattern for the text of an expression, in which braces may be nested, and stand in quotes. */
function braced(levels: number): string {
  const inner = levels === 0 ? "" : `|\\{${braced(levels - 1)}\\}`;
  return `([^{}"']|${QUOTED}${inner})*`;
}

function named(member: JsonMap, maxProperties: number): JsonMap {
  return {
    type: ["object", "null"],
    propertyNames: {
      pattern: NAME,
      patternErrorMessage:
        "A name starts with a letter or _, contains letters, digits, _ and -, and has at most 63 characters.",
      not: { enum: ["control", "pulumi"] },
    },
    additionalProperties: member,
    maxProperties,
  };
}

/**
 * A map with a function key is a call of that function and has no other key. Uses conditions instead of alternatives,
 * so that an editor reports the actual problem, not every alternative.
 */
function expressionSchema(): JsonMap {
  return {
    properties: Object.fromEntries(
      builtIns.map((name) => [
        `fn::${name}`,
        { description: functionDescriptions[name], ...(pairs.has(name) ? pair : anything) },
      ]),
    ),
    if: { type: "object", propertyNames: { not: { pattern: "^[Ff][Nn]::" } } },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { additionalProperties: { $ref: "#/$defs/expression" } },
    else: {
      if: { type: "object" },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: { $ref: "#/$defs/call" },
      else: { items: { $ref: "#/$defs/expression" } },
    },
  };
}

const anything: JsonMap = {
  type: ["string", "number", "boolean", "object", "array", "null"],
};
const pairs = new Set<BuiltIn>(["join", "split", "select"]);
const pair: JsonMap = { type: ["array", "string", "object"], minItems: 2, maxItems: 2 };

const functionDescriptions: Readonly<Record<BuiltIn, string>> = {
  join: "Joins a list of strings: [separator, list].",
  split: "Splits a string into a list: [separator, string].",
  select: "Selects one item of a list: [index, list], counted from 0.",
  length: "The number of items in a list or map, or of characters in a string.",
  toJSON: "A value as JSON, with sorted keys.",
  toBase64: "Encodes a string as Base64.",
  fromBase64: "Decodes a Base64 string.",
  secret: "Marks a value as secret.",
  unsecret: "Removes the secret mark from a value.",
  singleOrNone: "The only item of a list, or null when there is none.",
  sha1: "The SHA-1 of a string, in hexadecimal.",
};

function callSchema(): JsonMap {
  return {
    type: "object",
    patternProperties: {
      [`^[Ff][Nn]::(${builtIns.map(anyCase).join("|")})$`]: { $ref: "#/$defs/expression" },
    },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  };
}

function anyCase(name: string): string {
  return Array.from(name, (letter) =>
    /[A-Za-z]/.test(letter) ? `[${letter.toUpperCase()}${letter.toLowerCase()}]` : letter,
  ).join("");
}

function configDeclaration(): JsonMap {
  return {
    description: "A declaration, or a default that implies the type.",
    type: ["string", "number", "boolean", "array", "object"],
    if: { type: "object" },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      properties: {
        type: {
          description: "The type of the value.",
          anyOf: [
            { enum: jsonTypes.filter((type) => type !== "null") },
            {
              type: "string",
              pattern:
                "^(int|bool|float|list|String|Integer|Int|Number|Float|Boolean|Bool|Object|Array|List|([Ll]ist|[Aa]rray)<.+>)$",
              patternErrorMessage:
                "The types are string, integer, number, boolean, object, array and List<type>.",
              doNotSuggest: true,
            },
          ],
        },
        default: {
          ...anything,
          description:
            "The value if the instance sets none. Without a default, the instance must set one.",
        },
        secret: {
          type: "boolean",
          description: "The value is stored encrypted and shown as [secret].",
        },
        ...keywordSchemas(["type", "default"]),
      },
      anyOf: [{ required: ["type"] }, { required: ["default"] }],
      additionalProperties: false,
    },
  };
}

/** The schema of the schemas in config declarations. */
function valueSchema(): JsonMap {
  return {
    type: ["object", "boolean"],
    properties: keywordSchemas(),
    additionalProperties: false,
  };
}

const sub: JsonMap = { allOf: [{ $ref: "#/$defs/valueSchema" }] };
const texts: JsonMap = { type: "array", items: { type: "string" } };

const kindSchemas: Readonly<Record<Kind, JsonMap>> = {
  note: anything,
  text: { type: "string" },
  flag: { type: "boolean" },
  count: { type: "integer", minimum: 0 },
  number: { type: "number" },
  positive: { type: "number", exclusiveMinimum: 0 },
  names: texts,
  values: { type: "array", minItems: 1, maxItems: 1000 },
  type: {
    anyOf: [{ enum: [...jsonTypes] }, { type: "array", items: { enum: [...jsonTypes] } }],
  },
  format: { enum: [...formats] },
  pattern: { type: "string" },
  unique: { type: "boolean" },
  schema: sub,
  schemas: { type: "array", minItems: 1, items: sub },
  members: { type: "object", additionalProperties: sub },
  condition: sub,
  conditions: { type: "array", minItems: 1, items: sub },
  dependents: { type: "object", additionalProperties: texts },
};

/** The most common keywords, listed first; editors suggest only these. */
const keywordDescriptions: { readonly [keyword: string]: string } = {
  description: "The purpose of the value.",
  enum: "The allowed values.",
  pattern: "A regular expression that the string must match, without lookaround or backreferences.",
  format: "The format of the string.",
  minLength: "Minimum number of characters.",
  maxLength: "Maximum number of characters.",
  minimum: "Minimum value.",
  maximum: "Maximum value.",
  items: "The schema of each item of a list.",
  properties: "The schema of each member of a map.",
  required: "The required members of a map.",
};

function keywordSchemas(without: readonly string[] = []): JsonMap {
  const described = Object.keys(keywordDescriptions);
  const names = [...new Set([...described, ...Object.keys(keywordKinds)])];
  return Object.fromEntries(
    names.flatMap((keyword) => {
      const kind = own(keywordKinds, keyword);
      if (kind === undefined || without.includes(keyword)) return [];
      const description = own(keywordDescriptions, keyword);
      // Schemas under `items` may also use the type names of declarations.
      const schema = keyword === "items" ? { type: ["object", "boolean"] } : kindSchemas[kind];
      return [
        [
          keyword,
          description === undefined
            ? {
                ...schema,
                description: `The JSON Schema keyword ${keyword}.`,
                doNotSuggest: true,
              }
            : { ...schema, description },
        ],
      ];
    }),
  );
}

function typeNames(catalog: TemplateCatalog): JsonMap {
  const description = "The resource type: <provider>:<Type>.";
  const types = catalog.types();
  const known: JsonMap = {
    enum: [...types],
    markdownEnumDescriptions: types.map((type) => catalog.facts(type)?.description ?? type),
  };
  const open = [...catalog.openProviders].toSorted();
  if (open.length === 0) return { description, ...known };
  const providers = open.map((name) => name.replace(/[^A-Za-z0-9_-]/g, "\\$&")).join("|");
  return { description, anyOf: [known, { type: "string", pattern: `^(${providers}):\\S+$` }] };
}

function resourceSchema(catalog: TemplateCatalog, shapes: ShapeSchemas): JsonMap {
  return {
    title: "resource",
    description:
      "An object to create at the provider, with `get` one to read, or with `component` a template to use as a part.",
    type: "object",
    properties: {
      type: { $ref: "#/$defs/type" },
      component: {
        description: "The template to use as a part, by name or id.",
        type: "string",
        minLength: 1,
      },
      version: {
        description:
          "The releases of the component to choose from, as a semantic range. The newest one is taken when the template's version is added.",
        type: ["string", "number"],
        examples: ["^1.2", "~1.2.3"],
      },
      properties: {
        description:
          "The provider's properties, as its API takes them. Of a component: the values of its config.",
        type: ["object", "null"],
        additionalProperties: { $ref: "#/$defs/expression" },
      },
      get: {
        description: "Reads an existing object, and manages nothing of it.",
        type: "object",
        properties: {
          id: {
            description: "The provider's id of the object. It may be an expression.",
            type: ["string", "number", "object"],
            minLength: 1,
            allOf: [{ $ref: "#/$defs/expression" }],
            if: { type: "object" },
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: { $ref: "#/$defs/call" },
          },
        },
        required: ["id"],
        additionalProperties: false,
      },
      when: {
        description:
          "The condition: whether this is included. It must be known when planning. A false condition deletes the objects that were there.",
        ...formula("boolean"),
      },
      forEach: {
        description:
          "The loop: a map, or a list of unique texts. This is repeated for each key, with `each.key` and `each.value`. The keys must be known when planning.",
        ...formula("array", "object"),
      },
      options: { $ref: "#/$defs/options" },
      defaultProvider: {
        type: "boolean",
        description: "Has no effect.",
        deprecated: true,
        doNotSuggest: true,
      },
    },
    additionalProperties: false,
    if: { required: ["component"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      properties: {
        type: false,
        get: false,
        defaultProvider: false,
        options: { propertyNames: { enum: ["dependsOn", "aliases"] } },
      },
    },
    else: {
      required: ["type"],
      properties: { version: false },
      if: { required: ["get"] },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        properties: {
          properties: false,
          options: { propertyNames: { enum: ["dependsOn", "additionalSecretOutputs"] } },
        },
      },
    },
    allOf: catalog.types().flatMap((type) => {
      const facts = catalog.facts(type);
      return facts === undefined ? [] : propertiesOf(type, facts, shapes);
    }),
  };
}

function propertiesOf(type: string, facts: TypeFacts, shapes: ShapeSchemas): JsonMap[] {
  const { properties, description, shape, defaults = {} } = facts;
  const required = facts.required.filter((name) => !Object.hasOwn(defaults, name));
  if (required.length === 0 && properties === undefined && shape === undefined) return [];
  return [
    {
      if: {
        properties: { type: { const: type } },
        required: ["type"],
        not: { required: ["get"] },
      },
      // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
      then: {
        properties: {
          properties: {
            title: type,
            ...(description === undefined ? {} : { description }),
            type: required.length > 0 ? "object" : ["object", "null"],
            ...(shape === undefined ? listed(properties) : shapes.object(shape)),
            ...(required.length === 0 ? {} : { required: [...required] }),
          },
        },
        ...(required.length === 0 ? {} : { required: ["properties"] }),
      },
    },
  ];
}

function listed(properties: TypeFacts["properties"]): JsonMap {
  const schemas = Object.entries(properties ?? {}).map(([name, facts]) => [
    name,
    propertySchema(facts),
  ]);
  return {
    properties: Object.fromEntries(schemas) as JsonMap,
    ...(properties === undefined ? {} : { additionalProperties: false }),
  };
}

/** A property has its own type, or is a reference or a function call whose value is not known yet. */
function propertySchema({ description, type }: PropertyFacts): JsonMap {
  if (type === undefined) return { description, allOf: [{ $ref: "#/$defs/expression" }] };
  return { description, ...formula(type) };
}

/** A value of one of these types, or an expression or a function call that gives one. */
function formula(...types: NonNullable<PropertyFacts["type"]>[]): JsonMap {
  return {
    type: [...new Set([...types, "string", "object"])],
    allOf: [{ $ref: "#/$defs/expression" }],
    ...(types.includes("string")
      ? {}
      : {
          if: { type: "string" },
          // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
          then: { $ref: "#/$defs/reference" },
        }),
    ...(types.includes("object")
      ? {}
      : {
          else: {
            if: { type: "object" },
            // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
            then: { $ref: "#/$defs/call" },
          },
        }),
  };
}
