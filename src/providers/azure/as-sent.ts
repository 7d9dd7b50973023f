/**
 * What Azure shows, as it was sent: ids and regions in the words of the template, identities as a list where the
 * template has one. Else each of them would be drift.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { armId, spelledId } from "./place.ts";

const IDENTITY = "identity";
const IDENTITIES = "userAssignedIdentities";

/** The body for Azure: identities, which a template may list because a key cannot be an expression, as a map. */
export function asAzureTakesIt(properties: JsonMap): JsonMap {
  const identity = properties[IDENTITY];
  const list = isJsonMap(identity) ? identity[IDENTITIES] : undefined;
  if (!isJsonMap(identity) || !Array.isArray(list)) return properties;
  const map = Object.fromEntries(
    list.flatMap((id): [string, Json][] => (typeof id === "string" ? [[id, {}]] : [])),
  );
  return { ...properties, [IDENTITY]: { ...identity, [IDENTITIES]: map } };
}

/** The object as shown, in the words of `sent`: the properties of the template. */
export function asSent(sent: JsonMap, shown: JsonMap): JsonMap {
  const outputs = likeSent(sent, shown);
  const all = isJsonMap(outputs) ? outputs : shown;
  const { location } = all;
  return typeof location === "string" ? { ...all, location: regionIn(location) } : all;
}

/** App Service and Cosmos DB show the name of a region as people read it. */
function regionIn(text: string): string {
  return text.replaceAll(" ", "").toLowerCase();
}

function likeSent(sent: Json | undefined, shown: Json, key = ""): Json {
  if (typeof shown === "string")
    return key === "locationName" && regionIn(shown) === sent ? sent : likeSentText(sent, shown);
  if (Array.isArray(shown)) {
    const items = Array.isArray(sent) ? sent : [];
    return shown.map((item, at) => likeSent(items[at], item));
  }
  if (!isJsonMap(shown)) return shown;
  // Only a map of ids is sent as a list.
  if (Array.isArray(sent) && Object.keys(shown).every((key) => armId(key) !== undefined)) {
    const ids = Object.keys(shown).map(spelledId);
    const known = sent
      .filter((id) => typeof id === "string")
      .filter((id) => ids.includes(spelledId(id)));
    const told = new Set(known.map(spelledId));
    return [...known, ...ids.filter((id) => !told.has(id))];
  }
  const from = isJsonMap(sent) ? sent : {};
  const keys = new Map(Object.keys(from).map((key) => [spelledId(key), key]));
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]): [string, Json] => {
      const spelled = spelledId(key);
      const name = keys.get(spelled) ?? spelled;
      return [name, likeSent(Object.hasOwn(from, name) ? from[name] : undefined, value, name)];
    }),
  );
}

function likeSentText(sent: Json | undefined, shown: string): string {
  if (!shown.startsWith("/")) return shown;
  const id = spelledId(shown);
  if (typeof sent !== "string" || sent === shown) return typeof sent === "string" ? sent : id;
  const wanted = spelledId(sent);
  // A role is shown in the subscription, also where it was sent without.
  const isRole = wanted.startsWith(
    "/providers/Microsoft.Authorization/roleDefinitions/".toLowerCase(),
  );
  return id === wanted || (isRole && id.toLowerCase().endsWith(wanted.toLowerCase())) ? sent : id;
}
