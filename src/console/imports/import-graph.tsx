/** The dependencies in an import: its resources and module calls, grouped by module. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { getImportEndpoint } from "#areas/imports/contract.ts";
import type { PageApi } from "#console/page-api.ts";
import { ResourceGraph } from "#console/resource-graph.tsx";
import type { GraphNode } from "#console/shared/graph-node.ts";
import type { Import } from "./import-lists.tsx";

/**
 * The maximum number of pages of each list. Larger graphs are unreadable, and each page is a request of the reader's.
 */
const MAX_PAGES = 10;

export interface ImportGraphData {
  /** The last answer. It has the members that all answers share. */
  found: Import;
  nodes: readonly GraphNode[];
  isCut: boolean;
}

export async function readGraph(
  api: PageApi,
  params: Readonly<Record<string, string>>,
): Promise<ImportGraphData> {
  const pagesOf = async (part: "resources" | "moduleCalls" | "edges"): Promise<Import[]> => {
    const pages: Import[] = [];
    let cursor: string | undefined;
    do {
      const page = await api.read(getImportEndpoint, params, { part, cursor });
      pages.push(page);
      cursor = page.nextCursors[part] ?? undefined;
    } while (cursor !== undefined && pages.length < MAX_PAGES);
    return pages;
  };
  const [resources, calls, edges] = await Promise.all([
    pagesOf("resources"),
    pagesOf("moduleCalls"),
    pagesOf("edges"),
  ]);
  const found = resources[0] as Import;
  const isCut =
    resources.at(-1)?.nextCursors.resources !== null || edges.at(-1)?.nextCursors.edges !== null;
  return { found, nodes: nodesOf(resources, calls, edges), isCut };
}

function nodesOf(
  resources: readonly Import[],
  calls: readonly Import[],
  edges: readonly Import[],
): GraphNode[] {
  const needs = new Map<string, string[]>();
  for (const { from, to } of edges.flatMap(({ graph }) => graph.edges)) {
    const others = needs.get(from);
    if (others === undefined) needs.set(from, [to]);
    else others.push(to);
  }
  const hasModules = resources.some(({ counts }) => counts.modules > 1);
  const nodes = new Map<string, GraphNode>();
  const add = (module: string, address: string, type: string, group: string) => {
    const id = module === "." ? address : `${module}/${address}`;
    nodes.set(id, {
      id,
      name: address,
      type,
      group: hasModules ? group : undefined,
      dependsOn: needs.get(id) ?? [],
    });
  };
  for (const { module, address, type } of resources.flatMap((page) => page.resources))
    add(module, address, type, module);
  // A call is a node in the group of the module that it calls.
  for (const { module, name, target } of calls.flatMap((page) => page.moduleCalls))
    add(module, `module.${name}`, "module", target ?? module);
  return [...nodes.values()];
}

export function ImportGraph({ found, nodes, isCut }: ImportGraphData): JSX.Element {
  if (nodes.length === 0) return <p class="soft">It has no resources.</p>;
  return (
    <>
      {isCut && (
        <p class="note">
          The graph has the first {nodes.length} of {found.counts.nodes} resources and modules. The
          API has all of them.
        </p>
      )}
      <ResourceGraph label="What needs what in the import" nodes={nodes} />
    </>
  );
}
