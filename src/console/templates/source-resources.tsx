import type { JSX } from "hono/jsx/jsx-runtime";
import { type GraphNode, ResourceGraph } from "#console/resource-graph.tsx";

/** The resources of a source. The page's script replaces them while the reader edits. */
export function SourceResources(shown: {
  resources: readonly { name: string; type: string; dependsOn: readonly string[] }[];
}): JSX.Element {
  const nodes = shown.resources.map(({ name, type, dependsOn }): GraphNode => ({
    id: name,
    type,
    dependsOn,
  }));
  return (
    <>
      <h2>What it makes</h2>
      <div id="makes">
        {nodes.length === 0 ? (
          <p class="soft">There are no resources.</p>
        ) : (
          <ResourceGraph label="The template's resources and what each depends on" nodes={nodes} />
        )}
      </div>
    </>
  );
}
