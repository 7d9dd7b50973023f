import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Answered, ProviderError } from "#providers/rest/definition.ts";
import { objectSpreads } from "#providers/rest/spreading.ts";
import type { Answer } from "#providers/transport.ts";

/** The cluster of an object is not there, so nothing of it is. */
export const CLUSTER_GONE = "cluster_not_found";
export const CONFLICT = "field_manager_conflict";

const mapOf = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});
const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const listOf = (value: Json | undefined): JsonMap[] =>
  Array.isArray(value) ? value.filter(isJsonMap) : [];

/** A refusal by CoreWeave's own API. */
export function managementError(answer: Answer, { verb }: Answered): ProviderError {
  const { status } = answer;
  const said = textOf(mapOf(answer.json)["message"]);
  const message = said || "unknown reason";
  const code = `http_${status}`;
  // What stands before the API says nothing of the object.
  if (status === 404 && said === "") return { code, message, means: "busy" };
  if (status === 404 && verb === "session")
    return { code: CLUSTER_GONE, message, means: "invalid" };
  if (status === 404 && verb === "create") return { code, message, means: "invalid" };
  if ([400, 403, 409, 412, 429].includes(status) && /quota|capacity|limit/i.test(said))
    return {
      code,
      message,
      means: status === 429 && !/quota|capacity/i.test(said) ? "throttled" : "quota",
    };
  if (status === 409 || (status === 400 && /already exists/i.test(said))) {
    const isTaken = verb === "create" && /exist|in use|taken/i.test(said);
    return { code, message, means: isTaken ? "exists" : "busy" };
  }
  // A failed precondition: something still uses it, or it is being changed.
  if ((status === 400 || status === 412) && /in use|attached|still|being|progress/i.test(said))
    return { code, message, means: "busy" };
  if (status === 412) return { code, message, means: "invalid" };
  if (status === 401)
    return {
      code,
      message: `${message.replace(/\.?$/, ".")} The token is wrong, has expired or was revoked: set the credential to a token that is valid.`,
    };
  return { code, message };
}

/** Who else sets which fields, from the refusal of an apply. */
function conflictIn(details: JsonMap): string {
  return listOf(details["causes"])
    .map((cause) => `${textOf(cause["field"])} (${textOf(cause["message"])})`)
    .join("; ");
}

/** A refusal by a cluster. */
export function clusterError(answer: Answer, of: Answered): ProviderError {
  if (of.verb === "session") return managementError(answer, of);
  const { status } = answer;
  const json = mapOf(answer.json);
  const [reason, details] = [textOf(json["reason"]), mapOf(json["details"])];
  const message = textOf(json["message"]) || "unknown reason";
  const code = reason || `http_${status}`;
  const causes = new Set(listOf(details["causes"]).map((cause) => textOf(cause["reason"])));
  switch (status) {
    case 404:
      if (reason !== "NotFound") return { code, message, means: "busy" };
      if (textOf(details["name"]) === "" || of.verb === "create")
        return {
          code,
          message: `${message} What it is in, or its kind, does not exist in the cluster.`,
          means: "invalid",
          spreads: objectSpreads,
        };
      return { code, message, means: "gone" };
    case 409:
      if (causes.has("FieldManagerConflict"))
        return {
          code: CONFLICT,
          message: `Others set fields that the template sets: ${conflictIn(details)}. Take them out of the template, or let the other manager give them up.`,
          means: "invalid",
        };
      return { code, message, means: reason === "AlreadyExists" ? "exists" : "busy" };
    case 403: {
      if (causes.has("NamespaceTerminating")) return { code, message, means: "busy" };
      if (/exceeded quota/i.test(message)) return { code, message, means: "quota" };
      const right = /cannot (\w+) resource "([^"]+)"/.exec(message);
      const permission = right ? `${right[1]} ${right[2]}` : undefined;
      return { code, message, means: "denied", ...(permission && { permission }) };
    }
    default:
      return { code, message };
  }
}
