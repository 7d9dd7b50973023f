import type { Json } from "#platform/json.ts";

/** A parsed template, before any value is known: Pulumi YAML's syntax with the provider's properties. */
export interface Template {
  name: string;
  description: string;
  config: { [name: string]: ConfigDeclaration };
  variables: { [name: string]: Expression };
  resources: { [name: string]: ResourceDeclaration };
  outputs: { [name: string]: Expression };
}

export type ConfigType = "string" | "integer" | "number" | "boolean" | "object" | "array";

export interface ConfigDeclaration {
  type: ConfigType;
  secret: boolean;
  /** Absent: the instance must give a value. */
  default?: Json;
  /** A JSON Schema (2020-12) of one value: type, enum, minLength, items and so on. */
  schema: { [keyword: string]: Json };
  place: Place;
}

export interface ResourceDeclaration {
  /** `<provider>:<Type>`, e.g. `mock:Network`. */
  type: string;
  properties: { [name: string]: Expression };
  /** Set: an existing object is read and not managed. The resource then has no properties. */
  get?: { id: Expression };
  options: ResourceOptions;
  place: Place;
  /**
   * Places of its parts, by JSON Pointer relative to the resource: `/type`, `/options/dependsOn/0`, and of each key under
   * `/properties`.
   */
  places?: ReadonlyMap<string, Place>;
}

export interface ResourceOptions {
  /** Names of resources that must be created first, in addition to those referred to. */
  dependsOn: string[];
  protect: boolean;
  retainOnDelete: boolean;
  deleteBeforeReplace: boolean;
  /** Property paths, dotted, e.g. `tags`, `settings.size`. */
  ignoreChanges: string[];
  replaceOnChanges: string[];
  /** The id of an existing object to import instead of creating one. */
  import?: string;
  customTimeouts: { createSeconds?: number; updateSeconds?: number; deleteSeconds?: number };
  /** Former names of this resource. */
  aliases: string[];
  additionalSecretOutputs: string[];
}

/** The position of an expression in the text. */
export interface Place {
  /** JSON Pointer. */
  path: string;
  line: number;
  column: number;
}

/** `${root.path[0]["key"]}` */
export interface Reference {
  root: string;
  path: (string | number)[];
  place: Place;
}

export type Expression =
  | { kind: "literal"; value: null | boolean | number | string; place: Place }
  | { kind: "list"; items: Expression[]; place: Place }
  | { kind: "map"; entries: { [key: string]: Expression }; place: Place }
  /** A string that is exactly one reference, which keeps the value's type. */
  | { kind: "reference"; reference: Reference; place: Place }
  /** A string with references inside. */
  | { kind: "interpolation"; parts: (string | Reference)[]; place: Place }
  | { kind: "call"; fn: BuiltIn; argument: Expression; place: Place };

export type BuiltIn =
  | "join"
  | "split"
  | "select"
  | "length"
  | "toJSON"
  | "toBase64"
  | "fromBase64"
  | "secret"
  | "unsecret"
  | "singleOrNone"
  | "sha1";
