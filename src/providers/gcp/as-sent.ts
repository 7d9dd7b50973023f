/**
 * What Google shows, as it was sent: a full URL for a name or a part of one, the number of a project for its id, a text
 * for a whole number, nothing for what is empty. Else each of them would be drift.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { relativeName, withProject } from "./resource-id.ts";

/** The project in which the names are, by its id, and by the number that the object shows as its own. */
interface Own {
  project: string;
  number?: string;
}

/** The object as shown, in the words of `sent`. */
export function asSent(sent: JsonMap, shown: JsonMap, project: string): JsonMap {
  const number = numberIn(shown);
  return mapAsSent(sent, shown, { project, ...(number !== undefined && { number }) });
}

function numberIn({ name, projectNumber }: JsonMap): string | undefined {
  if (typeof projectNumber === "string") return projectNumber;
  return typeof name === "string" ? /^projects\/([0-9]+)\//.exec(name)?.[1] : undefined;
}

function mapAsSent(sent: JsonMap, shown: JsonMap, own: Own): JsonMap {
  const told = Object.entries(shown).map(([key, value]): [string, Json] => [
    key,
    likeSent(Object.hasOwn(sent, key) ? sent[key] : undefined, value, own, key),
  ]);
  const empty = Object.entries(sent).filter(
    ([key, value]) => !Object.hasOwn(shown, key) && isEmpty(value),
  );
  return Object.fromEntries([...told, ...empty]);
}

/** Google leaves out what has the value that its type has by itself. */
function isEmpty(value: Json): boolean {
  if (value === null || value === false || value === 0 || value === "") return true;
  return Array.isArray(value)
    ? value.length === 0
    : isJsonMap(value) && Object.values(value).every(isEmpty);
}

function likeSent(sent: Json | undefined, shown: Json, own: Own, key?: string): Json {
  if (sent === undefined) return shown;
  if (typeof shown === "string") {
    if (typeof sent === "number" && /^-?\d{1,15}$/.test(shown)) return Number(shown);
    return isSame(sent, shown, own) || isSameLocation(key, sent, shown) ? sent : shown;
  }
  if (Array.isArray(shown) && Array.isArray(sent))
    return shown.map((item, at) => {
      const same = typeof item === "string" && sent.find((one) => isSame(one, item, own));
      return same === false || same === undefined ? likeSent(sent[at], item, own) : same;
    });
  return isJsonMap(shown) && isJsonMap(sent) ? mapAsSent(sent, shown, own) : shown;
}

/** Cloud Storage shows locations in capitals. */
function isSameLocation(key: string | undefined, sent: Json, shown: string): boolean {
  return key === "location" && typeof sent === "string" && sent.toUpperCase() === shown;
}

/** Whether the text stands for what was sent: a name in full for a part of it, if it is one in the project. */
function isSame(sent: Json, shown: string, own: Own): boolean {
  if (typeof sent !== "string") return false;
  if (sent === shown) return true;
  const [wanted, told] = [sent, shown].map((text) => withId(relativeName(text), own));
  if (wanted === told) return true;
  if (
    wanted === undefined ||
    wanted === "" ||
    told?.startsWith(`projects/${own.project}/`) !== true
  )
    return false;
  // The last segment of a service account is its address.
  return told.endsWith(`/${wanted}`) || told.split("/").at(-1)?.startsWith(`${wanted}@`) === true;
}

/** The name with the project's id in place of its own number; that of another project stays. */
function withId(name: string, { project, number }: Own): string {
  return number !== undefined && name.startsWith(`projects/${number}/`)
    ? withProject(name, project)
    : name;
}
