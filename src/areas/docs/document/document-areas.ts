import { isJsonMap, type JsonMap } from "#platform/json.ts";
import { listAt, mapAt, textAt } from "./json-at.ts";
import type { Operation } from "./operation.ts";
import { withSharedParts } from "./with-shared-parts.ts";

/** A tag of the document and its endpoints. */
export interface DocumentArea {
  name: string;
  description: string;
  /** The name of its page: `/docs/<slug>`. */
  slug: string;
  endpoints: Operation[];
}

const methods: ReadonlySet<string> = new Set(["get", "post", "put", "patch", "delete"]);

/** By the document's tags, in their order. */
export function documentAreas(document: JsonMap): DocumentArea[] {
  const operations = Object.entries(mapAt(document, "paths")).flatMap(([path, item]) =>
    Object.entries(isJsonMap(item) ? item : {}).flatMap(([method, shared]): Operation[] => {
      const operation = withSharedParts(shared, document);
      return methods.has(method) && isJsonMap(operation) ? [{ method, path, operation }] : [];
    }),
  );
  return listAt(document, "tags")
    .filter(isJsonMap)
    .map((tag) => {
      const name = textAt(tag, "name");
      return {
        name,
        description: textAt(tag, "description"),
        slug: name.toLowerCase().replace(/[^a-z0-9]+/g, "-"),
        endpoints: operations.filter(({ operation }) => listAt(operation, "tags").includes(name)),
      };
    });
}
