import type { JsonMap } from "#platform/json.ts";

const PATH = 'Written as settings.size, rules[0].port, rules[*].port or labels["a.b"].';

function texts(description: string): JsonMap {
  return { description, type: ["array", "string", "null"], items: { type: "string" } };
}

const outputName = {
  pattern: "^[^.\\[]+$",
  patternErrorMessage: "The name of a whole output: no path into one.",
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
    patternErrorMessage: "A duration is written as 90s, 5m or 1h30m, and has at most 24h.",
    examples: ["90s", "5m", "1h30m"],
  };
}

/** The JSON Schema of a resource's options, for editors. */
export function optionsSchema(): JsonMap {
  return {
    description: "How the resource is handled. Options are constants.",
    type: ["object", "null"],
    properties: {
      dependsOn: texts("Resources that must be ready first, each as ${name}."),
      protect: flag("Plans that delete or replace the object are refused."),
      retainOnDelete: flag("The object stays when the resource is removed."),
      deleteBeforeReplace: flag(
        "A replacement deletes the old object before it makes the new one.",
      ),
      ignoreChanges: texts(`Properties whose changes in the template are passed over. ${PATH}`),
      replaceOnChanges: texts(`Properties whose change replaces the object. ${PATH}`),
      import: {
        type: "string",
        minLength: 1,
        description: "The id of an existing object to take over in place of making one.",
      },
      customTimeouts: {
        description: "When a step is given up, at most 24h.",
        type: "object",
        properties: {
          create: duration("For making the object."),
          update: duration("For changing it."),
          delete: duration("For deleting it."),
          read: { description: "Has no effect here.", deprecated: true, doNotSuggest: true },
        },
        additionalProperties: false,
      },
      aliases: {
        description: "Former names of this resource, under which its object is still known.",
        type: ["array", "string", "object", "null"],
        items: { $ref: "#/$defs/alias" },
        if: { type: "object" },
        // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
        then: { $ref: "#/$defs/alias" },
      },
      additionalSecretOutputs: {
        ...texts("Outputs of the object that are never shown."),
        ...outputName,
        items: { type: "string", ...outputName },
      },
    },
    additionalProperties: false,
  };
}

/** A former name of a resource. */
export function aliasSchema(): JsonMap {
  return {
    type: ["string", "object"],
    properties: { name: { type: "string" } },
    required: ["name"],
    additionalProperties: false,
  };
}
