/** The objects of an instance in the cloud, with their states and dependencies. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { listInstanceResourcesEndpoint } from "#areas/instances/contract.ts";
import { StateTag, Table } from "#console/parts.tsx";
import { DependsOn, partOfAddress, ResourceGraph, stateMark } from "#console/resource-graph.tsx";
import type { GraphNode } from "#console/shared/graph-node.ts";
import { data, rowId } from "#console/shared/page-names.ts";

export type Resources = z.output<
  NonNullable<typeof listInstanceResourcesEndpoint.answer.schema>
>["data"];

/** `drifted`: the names of the resources that drifted in the last check. */
export function Resources(shown: {
  resources: Resources;
  drifted: ReadonlySet<string>;
}): JSX.Element {
  const { resources, drifted } = shown;
  if (resources.length === 0)
    return <p class="soft">It has no objects at the cloud: deploy it to create them.</p>;
  const known = new Set(resources.map(({ name }) => name));
  const nodes = resources.map((resource): GraphNode => {
    const { id, name, type, state, dependsOn } = resource;
    const isDrifted = state === "READY" && drifted.has(name);
    // A replaced object keeps its name until it is deleted.
    const key = state === "PENDING_DELETE" ? `${name} ${id}` : name;
    const mark = stateMark(isDrifted ? "DRIFTED" : state);
    return { id: key, name, type, part: partOfAddress(name), dependsOn, mark };
  });
  return (
    <ResourceGraph label="The instance's resources and what each depends on" nodes={nodes}>
      <Table
        columns={["Resource", "Type", "State", "Id", "Depends on"]}
        rows={resources.map(({ name, type, id, state, dependsOn }, at) => [
          <strong id={rowId(nodes[at]?.id ?? name)}>{name}</strong>,
          type,
          <>
            <StateTag state={state} />{" "}
            {state === "READY" && drifted.has(name) && <StateTag state="DRIFTED" />}
          </>,
          id === "" ? "" : <code {...data({ copy: true })}>{id}</code>,
          <DependsOn names={dependsOn} known={known} />,
        ])}
      />
    </ResourceGraph>
  );
}
