import { canonicalJson, isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";

/**
 * The object with what AWS shows in a longer form as it was sent, so that it is no drift: a name as its ARN, a domain
 * with a dot at its end, a document of JSON as the object, a version with its minor number. Lists stay as they are.
 */
export function asSent(shown: JsonMap, sent: JsonMap): JsonMap {
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]): [string, Json] => {
      const wanted = Object.hasOwn(sent, key) ? sent[key] : undefined;
      if (wanted === undefined) return [key, value];
      if (isJsonMap(value) && isJsonMap(wanted)) return [key, asSent(value, wanted)];
      return [key, isSame(key, wanted, value) ? wanted : value];
    }),
  );
}

function isSame(key: string, wanted: Json, shown: Json): boolean {
  if (typeof wanted !== "string" || wanted === "") return false;
  if (isJsonMap(shown)) {
    const document = readJson(wanted);
    return isJsonMap(document) && canonicalJson(document) === canonicalJson(shown);
  }
  if (typeof shown !== "string") return false;
  if (shown.toLowerCase() === `${wanted.toLowerCase()}.`) return true;
  if (key === "EngineVersion") return shown.startsWith(`${wanted}.`);
  return shown.startsWith("arn:") && (shown.endsWith(`/${wanted}`) || shown.endsWith(`:${wanted}`));
}
