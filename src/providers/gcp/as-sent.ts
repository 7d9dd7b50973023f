/**
 * What Google shows, as it was sent: a full URL for a name or a part of one, the number of a project for its id, a text
 * for a whole number, nothing for what is empty. Else each of them would be drift.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { relativeName, withProject } from "./resource-id.ts";

/** The object as shown, in the words of `sent`. */
export function asSent(sent: JsonMap, shown: JsonMap, project: string): JsonMap {
  return mapAsSent(sent, shown, project);
}

function mapAsSent(sent: JsonMap, shown: JsonMap, project: string): JsonMap {
  const told = Object.entries(shown).map(([key, value]): [string, Json] => [
    key,
    likeSent(Object.hasOwn(sent, key) ? sent[key] : undefined, value, project),
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

function likeSent(sent: Json | undefined, shown: Json, project: string): Json {
  if (sent === undefined) return shown;
  if (typeof shown === "string") {
    if (typeof sent === "number" && /^-?\d{1,15}$/.test(shown)) return Number(shown);
    return isSame(sent, shown, project) ? sent : shown;
  }
  if (Array.isArray(shown) && Array.isArray(sent))
    return shown.map((item, at) => {
      const same = typeof item === "string" && sent.find((one) => isSame(one, item, project));
      return same === false || same === undefined ? likeSent(sent[at], item, project) : same;
    });
  return isJsonMap(shown) && isJsonMap(sent) ? mapAsSent(sent, shown, project) : shown;
}

/** Whether the text stands for what was sent. */
function isSame(sent: Json, shown: string, project: string): boolean {
  if (typeof sent !== "string") return false;
  // Cloud Storage shows locations in capitals.
  if (sent === shown || sent.toUpperCase() === shown) return true;
  const [wanted, told] = [sent, shown].map((text) => withProject(relativeName(text), project));
  if (wanted === told) return true;
  const isName = told !== shown || shown.startsWith("projects/");
  if (!isName || wanted === undefined || wanted === "" || told === undefined) return false;
  // The last segment of a service account is its address.
  return told.endsWith(`/${wanted}`) || told.split("/").at(-1)?.startsWith(`${wanted}@`) === true;
}
