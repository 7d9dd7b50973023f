/** The variables of an instance with their values and origins, and a form with typed inputs. */
import type { JSX } from "hono/jsx/jsx-runtime";
import { updateInstanceEndpoint } from "#areas/instances/contract.ts";
import { ActForm } from "#console/act-form.tsx";
import { Foldout, Secret, Table } from "#console/parts.tsx";
import { may, type Reader } from "#console/reader.ts";
import { changedSchemaFields, textOf } from "#console/schema-fields.ts";
import type { JsonMap } from "#platform/json.ts";
import { MASK } from "#platform/mask.ts";
import { type Instance, upstreamsOf } from "./bindings.tsx";

/** `config`: the JSON Schema of the template version's variables; undefined if the reader may not see it. */
export function Variables(shown: {
  instance: Instance;
  names: ReadonlyMap<string, string>;
  config: JsonMap | undefined;
  etag: string | undefined;
  reader: Reader;
}): JSX.Element {
  const { instance, names, config = {}, etag, reader } = shown;
  const variables = instance.variables as JsonMap;
  const set = Object.entries(variables);
  const bound = new Map(upstreamsOf(instance));
  const fields = changedSchemaFields("variables", config, variables).map((field) => {
    const binding = bound.get(field.words);
    if (binding === undefined) return field;
    const { output, instanceId } = binding;
    const of = names.get(instanceId) ?? "another instance";
    return { ...field, hint: `Unless it is set, it is the output ${output} of ${of}.` };
  });
  return (
    <>
      {set.length === 0 ? (
        <p class="soft">
          {bound.size > 0 ? "No other is set." : "None is set: the template's defaults apply."}
        </p>
      ) : (
        <Table
          columns={["Variable", "Value"]}
          rows={set.map(([name, value]) => [
            name,
            value === MASK ? <Secret /> : <code>{textOf(value)}</code>,
          ])}
        />
      )}
      {may(reader, updateInstanceEndpoint, instance.tenantId) && fields.length > 0 && (
        <Foldout words="Change variables">
          <p class="soft">
            What you change takes effect with the next deployment. What you empty is removed.
          </p>
          <ActForm
            method="PATCH"
            path={`/instances/${instance.id}`}
            fields={fields}
            words="Save the variables"
            tone="main"
            isPatch
            etag={etag}
            then="stay"
          />
        </Foldout>
      )}
    </>
  );
}
