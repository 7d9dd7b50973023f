import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { TemplateValidationView } from "#areas/templates/contract.ts";
import { type GraphNode, ResourceGraph } from "#console/resource-graph.tsx";

type Resource = z.output<typeof TemplateValidationView>["resources"][number];

/** The resources and components of a source. The page's script replaces them while the reader edits. */
export function SourceResources(shown: { resources: readonly Resource[] }): JSX.Element {
  const nodes = shown.resources.map((one): GraphNode => {
    const words = madeWords(one);
    return {
      id: one.name,
      type: one.type ?? `component ${one.component} ${one.range}`,
      ...(words === undefined ? {} : { mark: { words } }),
      dependsOn: one.dependsOn,
    };
  });
  return (
    <>
      <h2>What it makes</h2>
      <div id="makes">
        {nodes.length === 0 ? (
          <p class="soft">There are no resources.</p>
        ) : (
          <ResourceGraph
            label="The template's resources and what each depends on"
            nodes={nodes}
            marks="Made"
          />
        )}
      </div>
    </>
  );
}

/** Undefined: once. */
function madeWords({ conditional, repeats }: Resource): string | undefined {
  if (repeats) return conditional ? "for each key, on a condition" : "for each key";
  return conditional ? "on a condition" : undefined;
}
