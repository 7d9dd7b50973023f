/** Names that pages write and their scripts read. */
import type { Then } from "./form-data.ts";
import type { GraphNode } from "./graph-node.ts";
import type { Diagnostic } from "./source-words.ts";

/** Data attributes, without `data-`. */
export const dataNames = [
  // Buttons and forms that send a request.
  "act",
  "form",
  "path",
  "body",
  "confirm",
  "typed",
  "etag",
  "to",
  "patch",
  "next",
  // Inputs of forms.
  "kind",
  "empty",
  "before",
  "preset",
  "chosen",
  "tenant",
  // Any part of a page.
  "scripted",
  "relative",
  "submits",
  "submit",
  "copy",
  "live",
  "shown",
  "column",
  // A deployment: its log and its plan.
  "deployment",
  "after",
  "open",
  "level",
  "done",
  "resource",
  "action",
  "part",
  "mark",
  // A graph.
  "graph",
  "label",
  "drawn",
  "node",
  "group",
  "tone",
  "from",
  "to-node",
  "outer",
  "any-open",
  // A template's source.
  "template",
  "latest",
  "diagnostics",
  // An import.
  "max-files",
  "max-file-bytes",
  "max-total-bytes",
] as const;
export type DataName = (typeof dataNames)[number];

/** The ids of single parts. */
export const ids = {
  problem: "problem",
  // A deployment.
  plan: "plan",
  log: "log",
  live: "live",
  logTools: "log-tools",
  logSearch: "log-search",
  logLevel: "log-level",
  logSave: "log-save",
  // A template's source.
  source: "source",
  sourceKeys: "source-keys",
  sourceLines: "source-lines",
  sourceStatus: "source-status",
  diagnostics: "diagnostics",
  makes: "makes",
  // An import.
  import: "import",
  folder: "folder",
  files: "files",
  everyKind: "every-kind",
  report: "report",
  adopt: "adopt",
  dryRun: "dry-run",
  status: "status",
  chosen: "chosen",
  result: "result",
} as const;

/** The selector of an id. */
export function selectorOf<Id extends string>(id: Id): `#${Id}` {
  return `#${id}`;
}

/** The types of the attributes with JSON. */
export interface JsonData {
  body: object;
  next: Then;
  before: object;
  preset: readonly string[];
  graph: readonly GraphNode[];
  diagnostics: readonly Diagnostic[];
}
export type JsonName = keyof JsonData;

const jsonNames: Readonly<Record<JsonName, true>> = {
  body: true,
  next: true,
  before: true,
  preset: true,
  graph: true,
  diagnostics: true,
};

type Data = {
  readonly [name in DataName]?:
    | (name extends JsonName ? JsonData[name] : string | number | boolean)
    | undefined;
};

/** Data attributes of an element, for its JSX. Undefined and false omit one. */
export function data(values: Data): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [`data-${name}`, textOf(name, value)]),
  );
}

function textOf(name: string, value: Data[DataName]): string | undefined {
  if (value === undefined || value === false) return undefined;
  return Object.hasOwn(jsonNames, name) || typeof value !== "string"
    ? JSON.stringify(value)
    : value;
}

export function dataAttribute<Name extends DataName>(name: Name): `data-${Name}` {
  return `data-${name}`;
}

/** The selector of the elements that have an attribute, or have it with this value. */
export function withData(name: DataName, value?: string): string {
  return value === undefined ? `[data-${name}]` : `[data-${name}="${value}"]`;
}

/** The id of a resource's row, to which the graph leads. */
export function rowId(nodeId: string): string {
  return `resource-${nodeId}`;
}

/** The id of a line of a template's source. */
export function lineId(line: number): string {
  return `line-${line}`;
}
