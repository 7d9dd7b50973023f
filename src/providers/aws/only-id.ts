import type { JsonMap } from "#platform/json.ts";
import { placeholdersIn } from "#providers/rest/requests/fill-path.ts";
import type { AwsType } from "./row-parts.ts";

/** The only identifier that the object can have, if its row says it and all properties in it are given. */
export function onlyId({ identifier, compare }: AwsType, properties: JsonMap): string | undefined {
  let id = identifier;
  for (const name of placeholdersIn(id ?? "")) {
    const value = properties[name];
    if (typeof value !== "string" || value === "") return undefined;
    const text = compare?.caseInsensitive?.includes(name) === true ? value.toLowerCase() : value;
    id = id?.replace(`{${name}}`, () => text);
  }
  return id;
}
