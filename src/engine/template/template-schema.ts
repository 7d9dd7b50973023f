import type { JsonMap } from "#platform/json.ts";
import type { TemplateCatalog } from "./check.ts";
import { builtIns } from "./expressions.ts";
import { MAX_NAMES, MAX_RESOURCES } from "./parse.ts";
import { jsonTypes, schemaKeywords } from "./value-schema.ts";

const NAME = "^[A-Za-z_][A-Za-z0-9_-]{0,62}$";
const TEXTS: JsonMap = { type: "array", items: { type: "string" } };
const FLAG: JsonMap = { type: "boolean", default: false };
const DURATION: JsonMap = {
  type: ["string", "number"],
  pattern: "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
  examples: ["90s", "5m", "1h30m"],
};

/**
 * The JSON Schema (2020-12) of a template document, for editors. It knows shapes, names and resource types;
 * what references mean is for `checkTemplate`.
 */
export function templateSchema(catalog: TemplateCatalog): JsonMap {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Template",
    description: "Resources to deploy, in Pulumi YAML syntax with the providers' own properties.",
    type: "object",
    additionalProperties: false,
    properties: {
      name: { type: "string" },
      description: { type: "string" },
      runtime: {
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
      config: named({ $ref: "#/$defs/config" }, MAX_NAMES),
      configuration: named({ $ref: "#/$defs/config" }, MAX_NAMES),
      variables: named({ $ref: "#/$defs/expression" }, MAX_NAMES),
      resources: named({ $ref: "#/$defs/resource" }, MAX_RESOURCES),
      outputs: {
        type: ["object", "null"],
        additionalProperties: { $ref: "#/$defs/expression" },
        maxProperties: MAX_NAMES,
      },
    },
    not: { required: ["config", "configuration"] },
    $defs: {
      config: configDeclaration(),
      expression: {
        description: "A value; texts may refer to others as `${name}`.",
        anyOf: [
          { type: ["string", "number", "boolean", "null"] },
          { type: "array", items: { $ref: "#/$defs/expression" } },
          { $ref: "#/$defs/call" },
          {
            type: "object",
            propertyNames: { not: { pattern: "^[Ff][Nn]::" } },
            additionalProperties: { $ref: "#/$defs/expression" },
          },
        ],
      },
      call: {
        type: "object",
        properties: Object.fromEntries(
          builtIns.map((name) => [`fn::${name}`, { $ref: "#/$defs/expression" }]),
        ),
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
      },
      type: typeNames(catalog),
      resource: {
        type: "object",
        properties: {
          type: { $ref: "#/$defs/type" },
          properties: {
            type: ["object", "null"],
            additionalProperties: { $ref: "#/$defs/expression" },
          },
          options: { $ref: "#/$defs/options" },
          defaultProvider: { type: "boolean", deprecated: true },
        },
        required: ["type"],
        additionalProperties: false,
        allOf: requiredProperties(catalog),
      },
      options: resourceOptionsSchema(),
    },
  };
}

function named(member: JsonMap, maxProperties: number): JsonMap {
  return {
    type: ["object", "null"],
    propertyNames: { pattern: NAME, not: { enum: ["control", "pulumi"] } },
    additionalProperties: member,
    maxProperties,
  };
}

function configDeclaration(): JsonMap {
  const types = jsonTypes.filter((type) => type !== "null");
  return {
    description: "A declaration, or a default from which the type follows.",
    anyOf: [
      { type: ["string", "number", "boolean", "array"] },
      {
        type: "object",
        properties: {
          ...Object.fromEntries(schemaKeywords.map((keyword) => [keyword, true])),
          type: {
            anyOf: [
              { enum: types },
              { enum: ["int", "bool", "float", "list"] },
              { enum: ["String", "Integer", "Number", "Boolean", "Object", "Array"] },
              { type: "string", pattern: "^([Ll]ist|[Aa]rray)<.+>$" },
            ],
          },
          default: true,
          secret: FLAG,
          description: { type: "string" },
          enum: { type: "array", minItems: 1 },
        },
        anyOf: [{ required: ["type"] }, { required: ["default"] }],
        additionalProperties: false,
      },
    ],
  };
}

function typeNames(catalog: TemplateCatalog): JsonMap {
  const known: JsonMap = { enum: [...catalog.types()] };
  const open = [...catalog.openProviders].toSorted();
  if (open.length === 0) return known;
  const providers = open.map((name) => name.replace(/[^A-Za-z0-9_-]/g, "\\$&")).join("|");
  return { anyOf: [known, { type: "string", pattern: `^(${providers}):\\S+$` }] };
}

function requiredProperties(catalog: TemplateCatalog): JsonMap[] {
  return catalog.types().flatMap((type) => {
    const required = catalog.facts(type)?.required ?? [];
    if (required.length === 0) return [];
    return [
      {
        if: { properties: { type: { const: type } }, required: ["type"] },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { properties: { properties: { required: [...required] } }, required: ["properties"] },
      },
    ];
  });
}

function resourceOptionsSchema(): JsonMap {
  return {
    type: ["object", "null"],
    properties: {
      dependsOn: {
        description: "Resources that must be ready first, each as `${name}`.",
        anyOf: [{ type: "string" }, TEXTS],
      },
      protect: FLAG,
      retainOnDelete: FLAG,
      deleteBeforeReplace: FLAG,
      ignoreChanges: { anyOf: [{ type: "string" }, TEXTS] },
      replaceOnChanges: { anyOf: [{ type: "string" }, TEXTS] },
      import: { type: "string", minLength: 1 },
      customTimeouts: {
        type: "object",
        properties: { create: DURATION, update: DURATION, delete: DURATION },
        additionalProperties: false,
      },
      aliases: {
        type: ["array", "string"],
        items: {
          anyOf: [
            { type: "string" },
            {
              type: "object",
              properties: { name: { type: "string" } },
              required: ["name"],
              additionalProperties: false,
            },
          ],
        },
      },
      additionalSecretOutputs: { anyOf: [{ type: "string" }, TEXTS] },
    },
    additionalProperties: false,
  };
}
