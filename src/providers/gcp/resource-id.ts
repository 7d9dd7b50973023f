/** Ids of Google's objects: relative resource names, whose form the type's row says. */
import type { Json, JsonMap } from "#platform/json.ts";
import type { Failed } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { placeholdersIn } from "#providers/rest/requests/fill-path.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { formatTypeName } from "#providers/type-name.ts";
import { gcpTypes } from "./types.ts";

/** A URL of Google's up to the relative name: `https://www.googleapis.com/compute/v1/`. */
const BEFORE =
  /^(?:https:\/\/[a-z0-9.-]+\.googleapis\.com|\/\/[a-z0-9.-]+\.googleapis\.com)\/(?:(?:compute|sql|dns|storage)\/)?(?:v[0-9][a-z0-9]*\/)?/;

/** The relative name in a URL, or what is none as it is. */
export function relativeName(text: string): string {
  return text.replace(BEFORE, "");
}

/** The form of a type's ids, with its parents' in place of `{+parent}`. */
function formOf(row: RestType): string {
  const { id, refers = {} } = row;
  const known = id?.known ?? `${row.path.replace(/^\/v1\//, "")}/{version}`;
  return known.replace(/\{\+(\w+)\}/g, (_, parent: string) => {
    const above = gcpTypes.rowOf(formatTypeName({ provider: "gcp", name: refers[parent] ?? "" }));
    return above === undefined ? `{${parent}}` : formOf(above);
  });
}

/** What the id says of the object: the values of its place. Undefined: it is not an id of this type. */
function valuesIn(row: RestType, id: string): JsonMap | undefined {
  const form = formOf(row).split("/");
  const segments = id.split("/");
  if (segments.length !== form.length) return undefined;
  const values: Record<string, string> = {};
  for (const [at, expected] of form.entries()) {
    const pattern = expected
      .replaceAll(".", "\\.")
      .replace(/\{\w+\}/g, (one) =>
        expected.includes("@") && one !== "{project}" ? "([^/@]+)" : "([^/]+)",
      );
    const names = [...expected.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
    const found = new RegExp(`^${pattern}$`).exec(segments[at] ?? "");
    if (found === null) return undefined;
    for (const [index, name] of names.entries()) {
      const value = found[index + 1] ?? "";
      // `projects/-/serviceAccounts/<address>` would be another id of the same account.
      if (name === "project" && (values[name] ?? value) !== value) return undefined;
      values[name] = value;
    }
  }
  const parent = /^\{\+(\w+)\}/.exec(row.id?.known ?? row.path.replace(/^\/v1\//, ""))?.[1];
  if (parent === undefined) return values;
  const own =
    (row.id?.known ?? `${row.path.replace(/^\/v1\//, "")}/{version}`).split("/").length - 1;
  const named = placeholdersIn(row.id?.known ?? "").filter((one) => one !== parent);
  return {
    [parent]: segments.slice(0, -own).join("/"),
    project: values["project"] ?? "",
    ...Object.fromEntries(named.map((one) => [one, values[one] ?? ""])),
  };
}

const NAMED_ZONE = "projects/{project}/managedZones/{name}";
const byNumber: ReadonlySet<string> = new Set(["compute", "dns"]);

export type Placed = { ok: true; properties: JsonMap } | { ok: false; failed: Failed };

/** The types of Google's objects with ids of this form. */
export function typesOfId(id: string): string[] {
  if (!id.startsWith("projects/")) return [];
  return gcpTypes.types().filter((type) => {
    const row = gcpTypes.rowOf(type);
    return row !== undefined && row.path !== "/" && valuesIn(row, id) !== undefined;
  });
}

/**
 * The properties with what the id says of the object's place. Refuses an id that is another type's, whose object would
 * have two owners, one in another project than the template or the target names, and one that says something else than
 * the properties: what they name is judged, and the id is called.
 */
export function placedBy(
  row: RestType,
  type: string,
  id: string,
  properties: JsonMap,
  config: JsonMap,
): Placed {
  const values = valuesIn(row, id);
  const form = formOf(row).replaceAll(/\{(\w+)\}/g, "<$1>");
  if (values === undefined)
    return {
      ok: false,
      failed: failure("invalid_id", `The id ${id} is not one of ${type}: write ${form}.`),
    };
  const project = properties["project"] ?? config["project"];
  if (Object.hasOwn(values, "project") && values["project"] !== project) {
    const message = `The id ${id} is in another project than ${typeof project === "string" ? project : "the target names: set `project` in its config"}.`;
    return { ok: false, failed: failure("invalid_id", message) };
  }
  // Compute Engine and Cloud DNS take an object's number for its name, which would be a second id.
  if (byNumber.has(row.host ?? "") && /\/[0-9]+(?:\/|$)/.test(id)) {
    const message = `The id ${id} has a number for a name: write the name that Google shows.`;
    return { ok: false, failed: failure("invalid_id", message) };
  }
  const { project: _, ...place } = values;
  const other = Object.keys(place).find(
    (key) => key !== "name" && !agrees(properties[key], place[key]),
  );
  if (other !== undefined) {
    const message = `The id ${id} says another ${other} than the property. Write ${other}: ${JSON.stringify(place[other])}, or leave it out.`;
    return { ok: false, failed: failure("invalid_id", message, { fault: "user" }) };
  }
  return { ok: true, properties: { ...properties, ...place } };
}

/** Whether the property is not set, or is what the id says: paths take numbers, and names with a slash before them. */
function agrees(given: Json | undefined, said: Json | undefined): boolean {
  if (given === undefined || given === null) return true;
  return typeof given === "string"
    ? given.replace(/^\//, "") === said
    : JSON.stringify(given) === said;
}

/**
 * The id that an object shows in its `selfLink` or `name`, in the spelling of the type. Services show the number of a
 * project where they were given its id. A zone of Cloud DNS shows its name and a number alone, and a private connection
 * its network and service.
 */
export function idIn(object: JsonMap, row: RestType, config: JsonMap): string | undefined {
  const shown = [object["selfLink"], object["name"]].flatMap((text) =>
    typeof text === "string" ? [relativeName(text)] : [],
  );
  const project = config["project"];
  const form = formOf(row).split("/").length;
  const id = shown.find((text) => text.startsWith("projects/") && text.split("/").length === form);
  if (typeof project !== "string") return id;
  const { network, service } = object;
  if (row.host === "servicenetworking" && typeof network === "string")
    return typeof service === "string" ? `${network}/${service}` : undefined;
  if (id !== undefined) return withProject(id, project);
  const name = object["name"];
  return row.id?.known === NAMED_ZONE && typeof name === "string"
    ? NAMED_ZONE.replace("{project}", () => project).replace("{name}", () => name)
    : undefined;
}

/** Whether the object shows another name than its id has: one object would have two ids. */
export function isNamedOtherwise(object: JsonMap, row: RestType, id: string): boolean {
  const shown = object["selfLink"] ?? object["name"];
  if (row.name?.property !== "name" || typeof shown !== "string" || shown.includes("%"))
    return false;
  return shown.split("/").at(-1) !== id.split("/").at(-1);
}

/** The name with the project's id in place of its number. */
export function withProject(name: string, project: string): string {
  return name.replace(/^projects\/[0-9]+(?=\/|$)/, () => `projects/${project}`);
}
