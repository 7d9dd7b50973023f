/** The modules of a draft, and the values that are known in them. */
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import type {
  ModuleCall,
  SourceLocal,
  SafeModule,
  SourceOutput,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";

export interface Scope {
  module: SafeModule;
  /** The prefix of addresses in the module: `module.network.`, `module.network[0].`; empty for the root. */
  prefix: string;
  /** The base of names in the draft: `network`, `network 2`. */
  label: string;
  /** The calling module; undefined for the root. */
  caller: { scope: Scope; call: ModuleCall; settings: ReadonlyMap<string, Expression> } | undefined;
  resources: ReadonlyMap<string, SourceResource>;
  variables: ReadonlyMap<string, SourceVariable>;
  locals: ReadonlyMap<string, SourceLocal>;
  outputs: ReadonlyMap<string, SourceOutput>;
  calls: ReadonlyMap<string, ModuleCall>;
  /** The scope of the whole module. It differs from this scope only inside an instance. */
  home: Scope;
  /** The values of one instance of a repeated resource or call. */
  instance?: { index: number } | { name: string; value: Bound } | OpenInstance;
  /** The values of a `for` loop's names in one turn. */
  items?: ReadonlyMap<string, Bound | OpenValue>;
  /** The evaluation of values from the files alone. */
  decided: Decisions;
}

/** The scopes of a call, by the key of the instance. */
export interface Called {
  instances: Instances;
  scopes: ReadonlyMap<string, Scope>;
}

/** An expression with the scope of its names. */
export interface Bound {
  expression: Expression;
  scope: Scope;
  /** The type to which the source's tool converts the value. */
  constraint?: Constraint | undefined;
}

/** A value that only the deployment knows, as an expression of the template language. */
export interface OpenValue {
  formula: string;
  type: OpenType;
}

/** Each instance of a resource whose instances are a loop of the draft. */
export interface OpenInstance {
  loop: Loop;
}

/** A loop over a number of objects, or over the members of a map or set. */
export type Loop = { by: "count" | "each"; of: Expression };

/** The known part of the type of an open value. */
export type OpenType =
  | Constraint
  | { kind: "list" | "set" | "map"; of: OpenType }
  | { kind: "object"; attributes: ReadonlyMap<string, OpenType> }
  /** An object of the draft, by its address in the source. */
  | { kind: "resource"; address: string; home: Scope };

export type Literal = string | number | boolean | null;

/** A decided value. The content of a list or map is decided on demand. */
export type Decided =
  | { kind: "literal"; value: Literal }
  /** `isSet`: the items have no index. */
  | { kind: "list"; items: readonly Bound[]; isSet?: true }
  | { kind: "map"; members: ReadonlyMap<string, Bound> }
  /** The source's tool refuses the value; `try` continues with its next argument. */
  | { kind: "error" };

export type Constraint =
  | { kind: "any" | "string" | "number" | "bool" }
  | { kind: "list" | "set" | "map"; of: Constraint }
  | { kind: "object"; attributes: ReadonlyMap<string, Constraint> }
  | { kind: "optional"; of: Constraint; default: Expression }
  /** A type whose meaning is not known here. */
  | { kind: "open" };

/** The objects of a repeated resource or module. */
export type Instances =
  | { kind: "one" }
  | { kind: "count"; count: number }
  | { kind: "each"; members: ReadonlyMap<string, Bound> };

export type Path = readonly (string | number)[];

/** The end of a chain of names; `failed`: the value cannot exist. */
export type Followed = Bound | "failed";

/** Evaluates values that the files alone decide; undefined for all others. */
export interface Decisions {
  bound: (expression: Expression, scope: Scope) => Bound;
  decide: (bound: Bound) => Decided | undefined;
  follow: (bound: Bound) => Followed;
  next: (bound: Bound) => Followed | undefined;
  instances: (of: SourceResource | ModuleCall, scope: Scope) => Instances | undefined;
  /** Spends steps of the draft's budget. False: the budget is spent. */
  spend: (steps: number) => boolean;
  /** Whether a value stayed open because the budget was spent. */
  readonly isSpent: boolean;
  locate: (reference: ReferenceExpression, scope: Scope) => Followed | undefined;
  /** The value of a called module's variable; undefined if it is unknown or a secret. */
  variable: (scope: Scope, name: string) => Bound | undefined;
}
