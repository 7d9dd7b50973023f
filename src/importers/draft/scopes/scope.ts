/** What the modules of a draft are, and what is known of the values in them. */
import type { Expression, ReferenceExpression } from "#importers/expression.ts";
import type {
  ModuleCall,
  SourceLocal,
  SourceModule,
  SourceOutput,
  SourceResource,
  SourceVariable,
} from "#importers/source-module.ts";

export interface Scope {
  module: SourceModule;
  /** Before the address of what is in it: `module.network.`, `module.network[0].`; empty for the root. */
  prefix: string;
  /** Of what names in the draft are made: `network`, `network 2`. */
  label: string;
  /** What calls it; undefined for the root. */
  caller: { scope: Scope; call: ModuleCall; settings: ReadonlyMap<string, Expression> } | undefined;
  resources: ReadonlyMap<string, SourceResource>;
  variables: ReadonlyMap<string, SourceVariable>;
  locals: ReadonlyMap<string, SourceLocal>;
  outputs: ReadonlyMap<string, SourceOutput>;
  calls: ReadonlyMap<string, ModuleCall>;
  /** That of the module as a whole: itself, unless it is that of one instance. */
  home: Scope;
  /** What one instance of a repeated resource or call has of its own. */
  instance?: { index: number } | { name: string; value: Bound };
  /** What names that a `for` gives stand for in one turn of it. */
  items?: ReadonlyMap<string, Bound>;
  /** What the files decide. */
  decided: Decisions;
}

/** What a call stands for: the scopes by the key of their instance. */
export interface Called {
  instances: Instances;
  scopes: ReadonlyMap<string, Scope>;
}

/** An expression, and where the names in it mean something. */
export interface Bound {
  expression: Expression;
  scope: Scope;
  /** What the source's tool converts its value to. */
  constraint?: Constraint | undefined;
}

export type Literal = string | number | boolean | null;

/** What a value is; what is in a list or a map is decided only where somebody asks for it. */
export type Decided =
  | { kind: "literal"; value: Literal }
  /** `isSet`: its items have no index. */
  | { kind: "list"; items: readonly Bound[]; isSet?: true }
  | { kind: "map"; members: ReadonlyMap<string, Bound> }
  /** The source's tool refuses it, or `try` goes on with its next argument. */
  | { kind: "error" };

export type Constraint =
  | { kind: "any" | "string" | "number" | "bool" }
  | { kind: "list" | "set" | "map"; of: Constraint }
  | { kind: "object"; attributes: ReadonlyMap<string, Constraint> }
  | { kind: "optional"; of: Constraint; default: Expression }
  /** It is not known here what it means. */
  | { kind: "open" };

/** For what a repeated resource or module stands. */
export type Instances =
  | { kind: "one" }
  | { kind: "count"; count: number }
  | { kind: "each"; members: ReadonlyMap<string, Bound> };

export type Path = readonly (string | number)[];

/** Where a name leads; `failed`: to nothing that can be there. */
export type Followed = Bound | "failed";

/** Finds what the files decide; undefined: they do not. */
export interface Decisions {
  bound: (expression: Expression, scope: Scope) => Bound;
  decide: (bound: Bound) => Decided | undefined;
  follow: (bound: Bound) => Followed;
  next: (bound: Bound) => Followed | undefined;
  instances: (of: SourceResource | ModuleCall, scope: Scope) => Instances | undefined;
  /** Whether so many further steps are within the budget of the draft; takes them. */
  takes: (steps: number) => boolean;
  /** Something was too much to decide, and is open. */
  readonly isSpent: boolean;
  locate: (reference: ReferenceExpression, scope: Scope) => Followed | undefined;
}
