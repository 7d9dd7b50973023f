import { canonicalJson, isJsonMap, type Json, type JsonMap, readJson } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import { roleIn } from "./access.ts";
import { partitionOf } from "./partition.ts";

type Place = Pick<ProviderContext, "region" | "config">;

/** Services whose ARNs name the object without its kind before it. */
const kindless: ReadonlySet<string> = new Set(["s3", "sqs", "sns", "execute-api"]);

/**
 * The object with what AWS shows in a longer form as it was sent, so that it is no drift: a name as its ARN, a domain
 * with a dot at its end, a document of JSON as the object, a version with its minor number, the attributes of a pool of
 * users. Other lists stay as they are.
 */
export function asSent(shown: JsonMap, sent: JsonMap, place: Place): JsonMap {
  return Object.fromEntries(
    Object.entries(shown).map(([key, value]): [string, Json] => {
      const wanted = Object.hasOwn(sent, key) ? sent[key] : undefined;
      if (wanted === undefined) return [key, value];
      if (isJsonMap(value) && isJsonMap(wanted)) return [key, asSent(value, wanted, place)];
      return [key, isSame(key, wanted, value, place) ? wanted : value];
    }),
  );
}

function isSame(key: string, wanted: Json, shown: Json, place: Place): boolean {
  if (key === "Schema" && Array.isArray(wanted) && Array.isArray(shown))
    return areAttributes(wanted, shown);
  if (typeof wanted !== "string" || wanted === "") return false;
  if (isJsonMap(shown)) {
    const document = readJson(wanted);
    return isJsonMap(document) && canonicalJson(document) === canonicalJson(shown);
  }
  if (typeof shown !== "string") return false;
  if (shown.toLowerCase() === `${wanted.toLowerCase()}.`) return true;
  if (key === "EngineVersion") return shown.startsWith(`${wanted}.`);
  return isNamedBy(shown, wanted, place);
}

/**
 * Cognito shows a custom attribute as `custom:<name>` (`propertyTransform` of the registry's schema), and besides those
 * that were sent the standard ones, of which every pool has `sub`.
 */
function areAttributes(wanted: readonly Json[], shown: readonly Json[]): boolean {
  const nameOf = ({ Name }: JsonMap): string => (typeof Name === "string" ? Name : "");
  const named = new Map(
    shown.filter(isJsonMap).map((one) => [nameOf(one).replace(/^custom:/, ""), one]),
  );
  return (
    named.has("sub") &&
    wanted.every((one) => {
      if (!isJsonMap(one)) return false;
      const other = named.get(nameOf(one)) ?? {};
      return Object.entries(one).every(
        ([key, value]) =>
          key === "Name" || canonicalJson(other[key] ?? null) === canonicalJson(value),
      );
    })
  );
}

/** Whether the ARN is of what has this name here. With a target's own keys its account is not known. */
function isNamedBy(arn: string, name: string, { region, config }: Place): boolean {
  const [start, partition, service = "", where, account, ...rest] = arn.split(":");
  if (start !== "arn" || partition !== partitionOf(region).name) return false;
  if (where !== "" && where !== region) return false;
  const own = roleIn(config)?.account;
  if (account !== "" && own !== undefined && account !== own) return false;
  const resource = rest.join(":");
  return (
    resource === name || (!kindless.has(service) && resource.replace(/^[\w-]+[/:]/, "") === name)
  );
}
