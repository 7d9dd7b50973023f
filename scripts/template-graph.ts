/** The declarations and references of a program, in a form that two readings can be compared in. */
import type { Expression, ResourceDeclaration, Template } from "#engine/template/template.ts";

export type Shape =
  | { value: null | boolean | number | string }
  | { list: Shape[] }
  | { map: { [key: string]: Shape } }
  /** The names that a string refers to, in order; `whole`: the string is exactly one reference. */
  | { references: string[]; whole: boolean }
  | { fn: string; argument: Shape };

export interface Options {
  dependsOn: string[];
  protect: boolean;
  retainOnDelete: boolean;
  deleteBeforeReplace: boolean;
  ignoreChanges: string[];
  replaceOnChanges: string[];
  additionalSecretOutputs: string[];
  aliases: string[];
  /** Seconds by verb. */
  timeouts: { [verb: string]: number };
  import?: string;
}

export interface Graph {
  config: { [name: string]: { type: string; secret: boolean } };
  variables: { [name: string]: Shape };
  resources: {
    [name: string]: {
      type: string;
      properties: { [name: string]: Shape };
      /** The id of the object that is only read. */
      get?: Shape;
      options: Options;
    };
  };
  outputs: { [name: string]: Shape };
}

/** The graph of a template read by the engine. */
export function graphOf({ config, variables, resources, outputs }: Template): Graph {
  return {
    config: mapped(config, ({ type, secret }) => ({ type, secret })),
    variables: mapped(variables, shapeOf),
    resources: mapped(resources, ({ type, properties, get, options }) => ({
      type,
      properties: mapped(properties, shapeOf),
      ...(get === undefined ? {} : { get: shapeOf(get.id) }),
      options: optionsOf(options),
    })),
    outputs: mapped(outputs, shapeOf),
  };
}

function optionsOf({ customTimeouts, ...options }: ResourceDeclaration["options"]): Options {
  const timeouts = Object.entries(customTimeouts).map(([verb, seconds]): [string, number] => [
    verb.replace("Seconds", ""),
    seconds,
  ]);
  return { ...options, timeouts: Object.fromEntries(timeouts) };
}

function shapeOf(expression: Expression): Shape {
  switch (expression.kind) {
    case "literal":
      return { value: expression.value };
    case "list":
      return { list: expression.items.map(shapeOf) };
    case "map":
      return { map: mapped(expression.entries, shapeOf) };
    case "reference":
      return { references: [expression.reference.root], whole: true };
    case "interpolation":
      return {
        references: expression.parts.flatMap((part) => (typeof part === "string" ? [] : part.root)),
        whole: false,
      };
    case "call":
      return { fn: expression.fn.toLowerCase(), argument: shapeOf(expression.argument) };
  }
}

function mapped<T, U>(map: { [key: string]: T }, change: (value: T) => U): { [key: string]: U } {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}
