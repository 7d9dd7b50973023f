import type { JSX } from "hono/jsx/jsx-runtime";
import { typeName } from "#areas/docs/document/type-name.ts";
import type { Json, JsonMap } from "#platform/json.ts";

/** The line for a schema without fields. */
export function TypeLine({ schema, document }: { schema: Json; document: JsonMap }): JSX.Element {
  return <p class="type">{typeName(schema, document)}</p>;
}
