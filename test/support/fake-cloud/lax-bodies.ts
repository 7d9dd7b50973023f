import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Description } from "./description.ts";
import { textOf } from "./text-of.ts";

type Resolve = Description["resolve"];

const MAX_DEPTH = 8;
const JSON_TYPE = "application/json";
const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});

interface Body {
  /** The paths that every alternative requires; `[]` is an item. */
  required: ReadonlySet<string>;
  /** The paths of maps whose members are listed. */
  closed: ReadonlySet<string>;
}

function bodyOf(resolve: Resolve, given: Json | undefined, at = "", depth = 0): Body {
  const schema = resolve(given);
  const required = new Set<string>();
  const closed = new Set<string>();
  const take = (part: Body, ofAll: readonly Body[] = [part]): void => {
    for (const path of part.required)
      if (ofAll.every((one) => one.required.has(path))) required.add(path);
    for (const path of ofAll.flatMap((one) => [...one.closed])) closed.add(path);
  };
  if (depth > MAX_DEPTH) return { required, closed };
  const below = (part: Json | undefined, path: string): Body =>
    bodyOf(resolve, part, path, depth + 1);
  for (const part of list(schema["allOf"])) take(below(part, at));
  for (const kind of ["anyOf", "oneOf"]) {
    const parts = list(schema[kind]).map((part) => below(part, at));
    if (parts[0] !== undefined) take(parts[0], parts);
  }
  for (const name of list(schema["required"])) required.add(`${at}${textOf(name)}`);
  if (isJsonMap(schema["properties"])) closed.add(at);
  for (const [name, part] of Object.entries(map(schema["properties"])))
    take(below(part, `${at}${name}.`));
  if (schema["items"] !== undefined) take(below(schema["items"], `${at}[].`));
  return { required, closed };
}

const keyOf = ({ method, path }: { method: string; path: string }): string =>
  `${method} ${path.replaceAll(/\{[^}]+\}/g, "{}")}`;

/**
 * The members of request bodies that the vendor's description requires and ours does not: tests with ours would pass a
 * request that the cloud refuses. A body that ours describes as any map is not compared.
 */
export function laxBodies(ours: Description, vendors: Description): string[] {
  const theirs = new Map(vendors.operations.map((operation) => [keyOf(operation), operation]));
  return ours.operations.flatMap(({ method, path, bodies }) => {
    const vendor = theirs.get(keyOf({ method, path }));
    if (vendor === undefined) return [`${method} ${path} is not the vendor's`];
    const theirBody = vendor.bodies.get(JSON_TYPE);
    if (theirBody === undefined) return [];
    const own = bodyOf(ours.resolve, bodies.get(JSON_TYPE));
    return [...bodyOf(vendors.resolve, theirBody).required]
      .filter((one) => own.closed.has(one.slice(0, one.lastIndexOf(".") + 1)))
      .filter((one) => !own.required.has(one))
      .map((one) => `${method} ${path} does not require ${one}`);
  });
}
