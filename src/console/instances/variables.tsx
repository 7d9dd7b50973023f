/** The variables of an instance. The page's script sends what was changed; the API takes it as a merge patch. */
import type { JSX } from "hono/jsx/jsx-runtime";
import type * as z from "zod";
import type { InstanceView } from "#areas/instances/contract.ts";
import { Table } from "#console/parts.tsx";
import type { Json } from "#platform/json.ts";

type Shown = Pick<z.output<typeof InstanceView>, "id" | "variables" | "bindings">;

export function Variables(shown: { instance: Shown; mayChange: boolean }): JSX.Element {
  const { id, variables, bindings } = shown.instance;
  const set = Object.entries(variables);
  const bound = Object.entries(bindings) as [string, { instanceId?: string; output?: string }][];
  return (
    <>
      {bound.length > 0 && (
        <Table
          columns={["Variable", "Comes from the output", "Of the instance"]}
          rows={bound.map(([name, { instanceId, output }]) => [
            name,
            output ?? "",
            <a href={`/instances/${encodeURIComponent(instanceId ?? "")}`}>{instanceId}</a>,
          ])}
        />
      )}
      {set.length === 0 ? (
        <p class="soft">
          {bound.length > 0 ? "No other is set." : "None is set: the template's defaults apply."}
        </p>
      ) : (
        <Table
          columns={["Variable", "Value"]}
          rows={set.map(([name, value]) => [name, <code>{textOf(value)}</code>])}
        />
      )}
      {shown.mayChange && (
        <form class="filters" data-variables={`/instances/${id}`} hidden>
          <label>
            Variable
            <input name="name" list="variable-names" required maxlength={200} autocomplete="off" />
          </label>
          <datalist id="variable-names">
            {set.map(([name]) => (
              <option value={name}></option>
            ))}
          </datalist>
          <label>
            Value, as JSON or as text
            <input name="value" autocomplete="off" />
          </label>
          <button class="button" type="submit">
            Set
          </button>
          <p class="soft">
            It takes effect with the next deployment. Without a value, it is removed.
          </p>
        </form>
      )}
    </>
  );
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
