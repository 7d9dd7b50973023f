/**
 * Google's two kinds of operations. Those of Compute Engine, Cloud SQL and GKE have a `status` and the URL of their own;
 * the others (`google.longrunning`) have a name and `done`. The object is never the operation: its id is known before
 * the call, or stands in the result.
 */
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { OperationState, Poller } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import type { Answer } from "#providers/transport.ts";
import { operationMeans } from "./meaning.ts";
import { spreadsAtGoogle } from "./spreading.ts";

type Verb = "create" | "update" | "delete";

const VERSION = /^\/v[0-9][a-z0-9]*(?=\/)/;
const OPERATION_NAME = /^[\w./:~-]*operations\/[\w.:~-]+$/;

/** The path of the operation at the host of the row; undefined: the answer is an object. */
function pathOf({ json }: Answer, { path }: RestType): string | undefined {
  if (!isJsonMap(json)) return undefined;
  const { name, selfLink, kind } = json;
  // Changes of Cloud DNS are done when they are answered.
  if (kind === "dns#operation") return undefined;
  const isOlder =
    (typeof kind === "string" && kind.endsWith("#operation")) ||
    (typeof json["operationType"] === "string" && typeof json["status"] === "string");
  if (isOlder) return typeof selfLink === "string" ? (URL.parse(selfLink)?.pathname ?? "") : "";
  const isNewer = typeof name === "string" && OPERATION_NAME.test(name);
  return isNewer ? `${VERSION.exec(path)?.[0] ?? ""}/${name}` : undefined;
}

function stateOf(json: JsonMap, verb: Verb): OperationState {
  const { status, done, error } = json;
  const isDone = done === true || status === "DONE" || status === "ABORTING";
  const problem = problemIn(json, error);
  if (problem !== undefined && (isDone || status === undefined)) {
    const { code, message } = problem;
    const means = operationMeans(code, message, verb);
    const spreads = spreadsAtGoogle(message, verb);
    return {
      state: "failed",
      code,
      message,
      ...(means === undefined ? {} : { means }),
      ...(spreads === undefined ? {} : { spreads }),
    };
  }
  return isDone ? { state: "done" } : { state: "running" };
}

function problemIn(
  { statusMessage, status }: JsonMap,
  error: Json | undefined,
): { code: string; message: string } | undefined {
  if (!isJsonMap(error))
    return status === "ABORTING"
      ? { code: "ABORTED", message: typeof statusMessage === "string" ? statusMessage : "aborted" }
      : undefined;
  const first = Array.isArray(error["errors"]) ? error["errors"][0] : error;
  const { code, message } = isJsonMap(first) ? first : {};
  const named = typeof code === "string" || typeof code === "number" ? String(code) : "";
  const told = typeof message === "string" ? message : "no explanation";
  return { code: named === "" ? "operation_failed" : named, message: told };
}

export const gcpPoller: Poller = {
  started: (answer, verb, row) => {
    const path = pathOf(answer, row);
    return path === undefined ? undefined : { path, verb };
  },
  path: (operation) =>
    isJsonMap(operation) && typeof operation["path"] === "string" ? operation["path"] : "",
  read: ({ json }, operation) => {
    const verb = isJsonMap(operation) ? operation["verb"] : undefined;
    const of = verb === "create" || verb === "delete" ? verb : "update";
    return stateOf(isJsonMap(json) ? json : {}, of);
  },
};
