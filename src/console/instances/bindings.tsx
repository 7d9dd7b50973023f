/** The bindings of an instance, and the instances that read its outputs. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import {
  type InstanceSummary,
  type InstanceView,
  updateInstanceEndpoint,
} from "#areas/instances/contract.ts";
import { ActForm, type Field } from "#console/act-form.tsx";
import { ActButton, Foldout, Table } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { isJsonMap, type JsonMap } from "#platform/json.ts";

export type Instance = z.output<typeof InstanceView>;

interface Binding {
  instanceId: string;
  output: string;
}

/** The known instances of the tenant: the first page of the API's list. */
export interface Siblings {
  all: readonly z.output<typeof InstanceSummary>[];
  /** Whether there are others. */
  isPart: boolean;
}

/** The bindings of an instance, by variable. */
export function upstreamsOf({ bindings }: Pick<Instance, "bindings">): [string, Binding][] {
  return Object.entries(bindings as unknown as Record<string, Binding>);
}

/** `config`: the JSON Schema of the template version's variables; undefined if the reader may not see it. */
export function Bindings(shown: {
  instance: Instance;
  siblings: Siblings;
  config: JsonMap | undefined;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, siblings, config, etag, reader } = shown;
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
      {mayChange && <NewBinding {...{ instance, siblings, config, etag }} />}
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

function NewBinding(shown: {
  instance: Instance;
  siblings: Siblings;
  config: JsonMap | undefined;
  etag: string | undefined;
}): JSX.Element {
  const { instance, siblings, config, etag } = shown;
  const others = siblings.all.filter(({ id }) => id !== instance.id);
  const variable = variableField(instance, config);
  if (others.length === 0 || variable.choices?.length === 0) return <></>;
  return (
    <Foldout words="Bind a variable to another instance's output">
      <p class="soft">It takes effect with the next deployment. A value of its own goes first.</p>
      <ActForm
        method="PATCH"
        path={`/instances/${instance.id}`}
        fields={[variable, upstreamField(others, siblings.isPart), outputField(others)]}
        words="Bind the variable"
        tone="main"
        etag={etag}
        then="stay"
      />
    </Foldout>
  );
}

/** A field for the variables without a binding. */
function variableField({ bindings }: Instance, config: JsonMap | undefined): Field {
  const field: Field = { name: "variable", words: "Variable", isRequired: true };
  const declared = config?.["properties"] ?? {};
  if (config === undefined || !isJsonMap(declared)) return field;
  const free = Object.keys(declared).filter((name) => !Object.hasOwn(bindings, name));
  return { ...field, kind: "choice", choices: free.map((name) => ({ value: name, words: name })) };
}

/** `isPart`: whether there are instances beyond these. */
function upstreamField(others: Siblings["all"], isPart: boolean): Field {
  const choices = others.map(({ id, name }) => ({ value: id, words: name }));
  const field = { name: "bindings.{variable}.instanceId", words: "Instance", isRequired: true };
  return isPart
    ? { ...field, suggestions: choices, hint: "Choose one, or type the id of another." }
    : { ...field, kind: "choice", choices };
}

/** Suggests the outputs of all instances, each with the name of its instance. */
function outputField(others: Siblings["all"]): Field {
  return {
    name: "bindings.{variable}.output",
    words: "Its output",
    hint: "One that it has, or will have when it is deployed.",
    isRequired: true,
    maxLength: 200,
    suggestions: others.flatMap(({ name, outputNames }) =>
      outputNames.map((output) => ({ value: output, words: name })),
    ),
  };
}

function InstanceLink({ id, name }: { id: string; name: string | undefined }): JSX.Element {
  return <a href={`/instances/${encodeURIComponent(id)}`}>{name ?? id}</a>;
}
