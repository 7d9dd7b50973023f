import type { JSX } from "hono/jsx/jsx-runtime";
import { typeName } from "#areas/docs/document/type-name.ts";
import type { Json, JsonMap } from "#platform/json.ts";

/** What stands in place of fields where a schema has none. */
export function TypeLine({ schema, document }: { schema: Json; document: JsonMap }): JSX.Element {
  return <p class="type">{typeName(schema, document)}</p>;
}
