import type { JSX } from "hono/jsx/jsx-runtime";
import { ResourceGraph } from "#console/resource-graph.tsx";
import type { GraphNode } from "#console/shared/graph-node.ts";
import { ids } from "#console/shared/page-names.ts";
import {
  madeTitle,
  madeWords,
  resourcesLabel,
  type SourceResource,
  typeWords,
} from "#console/shared/source-words.ts";

/** The resources and components of a source. The page's script replaces them while the reader edits. */
export function SourceResources(shown: { resources: readonly SourceResource[] }): JSX.Element {
  const nodes = shown.resources.map((one): GraphNode => {
    const words = madeWords(one);
    return {
      id: one.name,
      type: typeWords(one),
      ...(words === undefined ? {} : { mark: { words } }),
      dependsOn: one.dependsOn,
    };
  });
  return (
    <>
      <h2>What it makes</h2>
      <div id={ids.makes}>
        {nodes.length === 0 ? (
          <p class="soft">There are no resources.</p>
        ) : (
          <ResourceGraph label={resourcesLabel} nodes={nodes} marks={madeTitle} />
        )}
      </div>
    </>
  );
}
