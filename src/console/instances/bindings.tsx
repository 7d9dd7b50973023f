/** What an instance reads of others, and which others read its outputs. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import { type InstanceView, updateInstanceEndpoint } from "#areas/instances/contract.ts";
import { ActButton, Table } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";

export type Instance = z.output<typeof InstanceView>;

interface Binding {
  instanceId: string;
  output: string;
}

/** The instances of the tenant that the page knows: the API lists at most so many at once. */
export interface Siblings {
  all: readonly Instance[];
  /** There are others. */
  isPart: boolean;
}

/** The bindings of an instance, by variable. */
export function upstreamsOf({ bindings }: Pick<Instance, "bindings">): [string, Binding][] {
  return Object.entries(bindings as unknown as Record<string, Binding>);
}

export function Bindings(shown: {
  instance: Instance;
  siblings: Siblings;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, siblings, etag, reader } = shown;
  const names = new Map(siblings.all.map(({ id, name }) => [id, name]));
  const above = upstreamsOf(instance);
  const below = siblings.all.flatMap((other) =>
    upstreamsOf(other)
      .filter(([, { instanceId }]) => instanceId === instance.id)
      .map(([variable, { output }]) => ({ other, variable, output })),
  );
  const mayChange = may(reader, updateInstanceEndpoint, instance.tenantId);
  return (
    <>
      {above.length === 0 ? (
        <p class="soft">It reads no outputs of other instances.</p>
      ) : (
        <Table
          columns={["Variable", "Comes from the output", "Of the instance", ""]}
          rows={above.map(([variable, { instanceId, output }]) => [
            variable,
            output,
            <InstanceLink id={instanceId} name={names.get(instanceId)} />,
            mayChange && (
              <ActButton
                method="PATCH"
                path={`/instances/${instance.id}`}
                body={{ bindings: { [variable]: null } }}
                words="Remove"
                label={`Remove the binding of ${variable}`}
                confirm={`Remove the binding of ${variable}? The next deployment uses its own value, or the default.`}
                etag={etag}
              />
            ),
          ])}
        />
      )}
      {below.length === 0 ? (
        <p class="soft">
          {siblings.isPart
            ? `None of the ${siblings.all.length} instances that were changed last reads its outputs.`
            : "No other instance reads its outputs."}
        </p>
      ) : (
        <>
          <Table
            columns={["Its output", "Is read by the instance", "As the variable"]}
            rows={below.map(({ other, variable, output }) => [
              output,
              <InstanceLink id={other.id} name={other.name} />,
              variable,
            ])}
          />
          {siblings.isPart && (
            <p class="soft">
              Of the {siblings.all.length} instances that were changed last; there may be more.
            </p>
          )}
        </>
      )}
    </>
  );
}

function InstanceLink({ id, name }: { id: string; name: string | undefined }): JSX.Element {
  return <a href={`/instances/${encodeURIComponent(id)}`}>{name ?? id}</a>;
}
