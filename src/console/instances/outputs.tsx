/** The outputs of an instance. The API masks secret ones. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { Secret, Table, Time } from "#console/parts.tsx";
import { textOf } from "#console/schema-fields.ts";
import { data } from "#console/shared/page-names.ts";
import type { JsonMap } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";
import type { Instance } from "./bindings.tsx";

export function Outputs({ instance }: { instance: Instance }): JSX.Element {
  const outputs = Object.entries(instance.outputs as JsonMap);
  return (
    <>
      {instance.outputsStaleSince !== null && (
        <p class="note bad">
          They are older than the objects, since <Time at={instance.outputsStaleSince} />: the last
          deployment could not compute them.
        </p>
      )}
      {outputs.length === 0 ? (
        <p class="soft">It has none.</p>
      ) : (
        <Table
          columns={["Output", "Value"]}
          rows={outputs.map(([name, value]) => [
            name,
            value === MASK ? <Secret /> : <code {...data({ copy: true })}>{textOf(value)}</code>,
          ])}
        />
      )}
    </>
  );
}
