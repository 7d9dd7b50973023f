import type { JsonMap } from "#platform/json.ts";

const PATH = 'Examples: settings.size, rules[0].port, rules[*].port, labels["a.b"].';

function texts(description: string): JsonMap {
  return { description, type: ["array", "string", "null"], items: { type: "string" } };
}

const outputName = {
  pattern: "^[^.\\[]+$",
  patternErrorMessage: "Must be the name of a whole output, not a path into one.",
};

function flag(description: string): JsonMap {
  return { description, type: "boolean" };
}

function duration(description: string): JsonMap {
  return {
    description,
    type: ["string", "number"],
    exclusiveMinimum: 0,
    maximum: 86_400,
    pattern: "^([0-9]+(\\.[0-9]+)?(ms|s|m|h))+$",
    patternErrorMessage: "Must be a duration such as 90s, 5m or 1h30m, at most 24h.",
    examples: ["90s", "5m", "1h30m"],
  };
}

/** The JSON Schema of a resource's options, for editors. */
export function optionsSchema(): JsonMap {
  return {
    description: "How the resource is deployed. Options are constants.",
    type: ["object", "null"],
    properties: {
      dependsOn: texts("Resources and components that must be created first, each as ${name}."),
      protect: flag("Reject plans that delete or replace the object."),
      retainOnDelete: flag("Keep the object when the resource is removed."),
      deleteBeforeReplace: flag("Delete the old object before creating its replacement."),
      ignoreChanges: texts(`Properties whose changes in the template are ignored. ${PATH}`),
      replaceOnChanges: texts(`Properties whose change replaces the object. ${PATH}`),
      import: {
        type: "string",
        minLength: 1,
        description: "The id of an existing object to import instead of creating one.",
      },
      customTimeouts: {
        description: "Timeouts of the resource's steps, at most 24h.",
        type: "object",
        properties: {
          create: duration("Timeout for creating the object."),
          update: duration("Timeout for updating the object."),
          delete: duration("Timeout for deleting the object."),
          read: { description: "Has no effect.", deprecated: true, doNotSuggest: true },
        },
        additionalProperties: false,
      },
      aliases: {
        description:
          "Former names or addresses of this resource. Its object keeps existing under the new name.",
        type: ["array", "string", "object", "null"],
        items: { $ref: "#/$defs/alias" },
        if: { type: "object" },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { $ref: "#/$defs/alias" },
      },
      additionalSecretOutputs: {
        ...texts("Outputs to treat as secret."),
        ...outputName,
        items: { type: "string", ...outputName },
      },
    },
    additionalProperties: false,
  };
}

const ADDRESS_PART = '[A-Za-z_][A-Za-z0-9_-]*(\\["([^"\\\\]|\\\\.)*"\\])?';

/** A former name of a resource, or a former address. */
export function aliasSchema(): JsonMap {
  const text: JsonMap = { type: "string", minLength: 1 };
  return {
    type: ["string", "object"],
    minLength: 1,
    properties: {
      name: { ...text, description: "The former name in this template." },
      key: { ...text, description: "The former key of the loop, if the former name was a loop." },
      address: {
        ...text,
        description: 'The former address, such as node["a"] or network/subnet["a"].',
        pattern: `^${ADDRESS_PART}(\\/${ADDRESS_PART})*$`,
        patternErrorMessage: 'Must be an address such as node["a"] or network/subnet["a"].',
      },
      to: {
        ...text,
        description:
          "The key of the loop, or the address inside the component, that takes over the object.",
      },
    },
    additionalProperties: false,
    if: { required: ["address"] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: { properties: { name: false, key: false } },
    else: { required: ["name"] },
  };
}
