/**
 * Resources and what each depends on: rows that anybody can read, and above them the graph that the script
 * `graph` draws of the same data.
 *
 * A page gives `nodes`, lists `graph` among its scripts, and may give rows of its own as children: then each row has
 * the id `rowId(node.id)`, where the graph leads. Without children there is a table.
 */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Table, type Tone, toneOf, wordsOf } from "./parts.tsx";

/** How a resource stands, or what becomes of it: in words, and in the colour of such words. */
export interface GraphMark {
  words: string;
  tone?: Tone | undefined;
}

export interface GraphNode {
  /** One on the page has it. Other nodes name it in `dependsOn`. */
  id: string;
  /** What people read. Default: the id. */
  name?: string;
  type: string;
  /** Where it belongs: a module, a file, a region. Default: the script groups by what the types have in common. */
  group?: string | undefined;
  mark?: GraphMark | undefined;
  /** Ids of other nodes; what is no node is left out of the graph. */
  dependsOn: readonly string[];
}

/** The mark of a state: `READY`, `DRIFTED`. */
export function stateMark(state: string): GraphMark {
  return { words: wordsOf(state), tone: toneOf(state) };
}

/** The id of the element that says more of a resource. */
export function rowId(nodeId: string): string {
  return `resource-${nodeId}`;
}

/**
 * `label`: what the graph shows, for whoever cannot see it. `liveId`: the id of the graph on a page whose script takes
 * over what changes of it.
 */
export function ResourceGraph(shown: {
  label: string;
  nodes: readonly GraphNode[];
  liveId?: string;
  children?: Child;
}): JSX.Element {
  const { label, nodes, liveId, children } = shown;
  return (
    <>
      {(nodes.length > 1 || liveId !== undefined) && (
        <div
          class="graph"
          id={liveId}
          data-live={liveId && true}
          data-graph={JSON.stringify(nodes)}
          data-label={label}
        ></div>
      )}
      {children ?? <ResourceRows nodes={nodes} />}
    </>
  );
}

function ResourceRows({ nodes }: { nodes: readonly GraphNode[] }): JSX.Element {
  const known = new Set(nodes.map(({ id }) => id));
  const hasGroups = nodes.some(({ group }) => group !== undefined);
  const hasMarks = nodes.some(({ mark }) => mark !== undefined);
  return (
    <Table
      columns={[
        "Resource",
        "Type",
        ...(hasGroups ? ["In"] : []),
        ...(hasMarks ? ["State"] : []),
        "Depends on",
      ]}
      rows={nodes.map(({ id, name, type, group, mark, dependsOn }) => [
        <strong id={rowId(id)}>{name ?? id}</strong>,
        type,
        ...(hasGroups ? [group ?? ""] : []),
        ...(hasMarks
          ? [mark === undefined ? "" : <span class={`tag ${mark.tone ?? ""}`}>{mark.words}</span>]
          : []),
        <DependsOn names={dependsOn} known={known} />,
      ])}
    />
  );
}

/** Links to the rows of what a resource depends on. `known`: what has a row. */
export function DependsOn(shown: {
  names: readonly string[];
  known: ReadonlySet<string>;
}): JSX.Element {
  return (
    <>
      {shown.names.map((name, at) => (
        <>
          {at > 0 && ", "}
          {shown.known.has(name) ? (
            <a href={`#${encodeURIComponent(rowId(name))}`}>{name}</a>
          ) : (
            name
          )}
        </>
      ))}
    </>
  );
}
