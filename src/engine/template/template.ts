import type { Node, Range } from "#engine/expressions/ast.ts";
import type { Unknown } from "#engine/value.ts";
import type { Json } from "#platform/json.ts";

/** A parsed template, before any value is known: Pulumi YAML's syntax with the provider's properties. */
export interface Template {
  name: string;
  description: string;
  config: { [name: string]: ConfigDeclaration };
  variables: { [name: string]: Expression };
  resources: { [name: string]: ResourceDeclaration };
  components: { [name: string]: ComponentUse };
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

/** The condition and the loop of a resource or of a component. */
export interface Repeatable {
  /** False: it is left out. Known when planning. */
  when?: Expression;
  /** A map, or a list of unique texts: it is repeated for each key. Known when planning. */
  forEach?: Expression;
  place: Place;
}

export interface ResourceDeclaration extends Repeatable {
  /** `<provider>:<Type>`, e.g. `mock:Network`. */
  type: string;
  properties: { [name: string]: Expression };
  /** Set: an existing object is read and not managed. The resource then has no properties. */
  get?: { id: Expression };
  options: ResourceOptions;
  /** The level and the loop's turn, of a resource that is written out. */
  within?: Within;
  /**
   * Places of its parts, by JSON Pointer relative to the resource: `/type`, `/options/dependsOn/0`, and of each key under
   * `/properties`.
   */
  places?: ReadonlyMap<string, Place>;
}

/** A template version that is used as a part of this template. */
export interface ComponentUse extends Repeatable {
  /** The name or the id of a template. */
  component: string;
  /** A semantic range of the template's releases. */
  version: string;
  /** The values of the component's config. */
  properties: { [name: string]: Expression };
  options: ComponentOptions;
  places?: ReadonlyMap<string, Place>;
}

export interface ComponentOptions {
  /** Names of resources and components that come first. */
  dependsOn: string[];
  aliases: string[];
  moves?: Move[];
}

/** A former address whose object only one turn of a loop, or one resource of a component, takes. */
export interface Move {
  /** As in `aliases`. */
  from: string;
  /** The key of the loop's turn, or the address below the component. */
  to: string;
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
  /** Former addresses in the same template; one that was written as an address has a leading `/`. */
  aliases: string[];
  moves?: Move[];
  additionalSecretOutputs: string[];
}

/** The position of an expression in the text. */
export interface Place {
  /** JSON Pointer. */
  path: string;
  line: number;
  column: number;
  /** The end of the text, exclusive, where it is known. */
  endLine?: number;
  endColumn?: number;
  /** The name and release of the component whose text it is. Absent: of the template itself. */
  component?: string;
}

/** The place of an offset in a string. */
export type PlaceAt = (offset: number) => Pick<Place, "line" | "column">;

/** `${root.path[0]["key"]}` */
export interface Reference {
  root: string;
  path: (string | number)[];
  place: Place;
}

/** `${…}` with more than a reference: an expression of the Common Expression Language. */
export interface Formula {
  kind: "formula";
  /** Its ranges are offsets in the string. */
  node: Node;
  /** The place of a range of the string. */
  placeOf: (range: Range) => Place;
  place: Place;
}

export type Expression =
  | { kind: "literal"; value: null | boolean | number | string; place: Place }
  | { kind: "list"; items: Expression[]; place: Place }
  | { kind: "map"; entries: { [key: string]: Expression }; place: Place }
  /** A string that is exactly one reference, which keeps the value's type. */
  | { kind: "reference"; reference: Reference; place: Place }
  /** A string with references inside. */
  | { kind: "interpolation"; parts: (string | Reference | Formula)[]; place: Place }
  /** A string that is exactly one formula, which keeps the value's type. */
  | { kind: "formula"; formula: Formula; place: Place }
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

/** One template of a deployment: the deployed template itself, or a component that another level uses. */
export interface Level {
  /** The address of the component's use; empty for the deployed template. */
  address: string;
  template: Template;
  /** The keys in the library of the components that the template uses, by `pinName`. */
  pins: Pins;
  /** Absent for the deployed template. */
  use?: { declaration: ComponentUse; within: Within };
}

/** The place of an expression among the levels. */
export interface Within {
  level: Level;
  /** The turn of the loop that the expression is in. */
  each?: Each;
}

export interface Each {
  /** Unknown in a check, which does not know the values of the config. */
  key: string | Unknown;
  /** The expression of `forEach`, which is evaluated outside of the loop. */
  of: Expression;
}

/** A component as its template version was stored. Its own components are pinned too. */
export interface ComponentVersion {
  template: Template;
  pins: Pins;
}

export type Pins = { readonly [use: string]: string };

/** The components that a template and its components use, by key. */
export type Library = { readonly [key: string]: ComponentVersion };
