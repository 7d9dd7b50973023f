/**
 * Resources and their dependencies: readable rows, and above them the graph that the script `graph` draws of the same
 * data.
 *
 * A page passes `nodes` and lists `graph` among its scripts. It may pass its own rows as children; then each row has
 * the id `rowId(node.id)`, the target of the graph's links. Without children there is a table.
 */
import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Table, toneOf, wordsOf } from "./parts.tsx";
import type { GraphMark, GraphNode } from "./shared/graph-node.ts";
import { data, rowId } from "./shared/page-names.ts";

/** The mark of a state: `READY`, `DRIFTED`. */
export function stateMark(state: string): GraphMark {
  return { words: wordsOf(state), tone: toneOf(state) };
}

/** The name in the template of the loop or component that made this address: `node` of `node["a"]`. */
export function partOfAddress(address: string): string | undefined {
  const [name = ""] = address.split(/[[/]/, 1);
  return name === address ? undefined : name;
}

/**
 * `label`: a description of the graph for readers who cannot see it. `marks`: the title of the column of marks.
 * `liveId`: the id of the graph, if a script updates it. It is folded below the rows then.
 */
export function ResourceGraph(shown: {
  label: string;
  nodes: readonly GraphNode[];
  marks?: string;
  liveId?: string;
  children?: Child;
}): JSX.Element {
  const { label, nodes, marks = "State", liveId, children } = shown;
  const graph = (
    <div
      class="graph"
      id={liveId}
      {...data({ live: liveId !== undefined, graph: nodes, label })}
    ></div>
  );
  if (liveId === undefined)
    return (
      <>
        {nodes.length > 1 && graph}
        {children ?? <ResourceRows nodes={nodes} marks={marks} />}
      </>
    );
  return (
    <>
      {children}
      <details class="foldout" {...data({ scripted: true })} hidden>
        <summary class="button">Graph</summary>
        {graph}
      </details>
    </>
  );
}

function ResourceRows(shown: { nodes: readonly GraphNode[]; marks: string }): JSX.Element {
  const { nodes, marks } = shown;
  const known = new Set(nodes.map(({ id }) => id));
  const hasGroups = nodes.some(({ group }) => group !== undefined);
  const hasMarks = nodes.some(({ mark }) => mark !== undefined);
  return (
    <Table
      columns={[
        "Resource",
        "Type",
        ...(hasGroups ? ["In"] : []),
        ...(hasMarks ? [marks] : []),
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

/** Links to the rows of a resource's dependencies. `known`: the resources with a row. */
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
