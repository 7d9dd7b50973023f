/**
 * Objects of Kubernetes by server-side apply: a create and an update are the same call, which sets the fields of the
 * template and gives up those that left it. It never forces: a field that another manager sets is refused.
 */
import { isJsonMap, type JsonMap } from "#platform/json.ts";
import type { Dialect, DialectAnswer, DialectCall } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import type { Answer } from "#providers/transport.ts";
import { readinessOf } from "./readiness.ts";

const APPLY = "fieldManager=control-api&fieldValidation=Strict";

function kindOf(type: string): string {
  return type.slice(type.indexOf(":") + 1);
}

/** `v1` of `/api/v1/…`, `apps/v1` of `/apis/apps/v1/…`. */
function apiVersionOf(path: string): string {
  return /^\/apis?\/((?:[a-z0-9.-]+\/)?v[a-z0-9]+)\//.exec(path)?.[1] ?? "";
}

/** What is applied: the body with what says whose it is. */
function document({ type, row, properties, body }: DialectCall, name: string): JsonMap {
  const given = isJsonMap(body) ? body : {};
  const metadata = isJsonMap(given["metadata"]) ? given["metadata"] : {};
  const { namespace } = properties;
  return {
    ...given,
    apiVersion: apiVersionOf(row.path),
    kind: kindOf(type),
    metadata: { ...metadata, name, ...(namespace === undefined ? {} : { namespace }) },
  };
}

/** Where `kubectl apply` keeps all of what it applied, a secret's values too. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** What is shown of an object's metadata: without who set which field, and without copies of secrets. */
function shownMetadata(type: string, object: JsonMap): JsonMap {
  const { managedFields: _, ...metadata } = isJsonMap(object["metadata"]) ? object["metadata"] : {};
  const { annotations } = metadata;
  if (kindOf(type) !== "Secret" || !isJsonMap(annotations)) return metadata;
  const { [LAST_APPLIED]: __, ...others } = annotations;
  return { ...metadata, annotations: others };
}

/** The object as an output: with its cluster, its name and whether it can be used. */
function shown(
  { type, properties: { clusterId } }: Pick<DialectCall, "type" | "properties">,
  object: JsonMap,
): { id: string; object: JsonMap } {
  const metadata = shownMetadata(type, object);
  const { name, namespace } = metadata;
  const id = typeof name === "string" ? name : "";
  return {
    id,
    object: {
      ...(clusterId === undefined ? {} : { clusterId }),
      ...object,
      metadata,
      name: id,
      ...(namespace === undefined ? {} : { namespace }),
      readiness: readinessOf(kindOf(type), object),
    },
  };
}

function readAnswer(
  { json, status }: Answer,
  verb: Parameters<Dialect["read"]>[1],
  call: DialectCall,
): DialectAnswer {
  // Finalizers may still have to run.
  if (verb === "delete") return { kind: "operation", operation: null, state: { state: "done" } };
  if (!isJsonMap(json))
    return failure("invalid_answer", "The cluster answered with something that is no object.", {
      retryable: true,
      unknownOutcome: verb === "create" || verb === "update",
    });
  if (verb === "list") {
    const items = Array.isArray(json["items"]) ? json["items"].filter(isJsonMap) : [];
    return { kind: "list", items: items.map((item) => shown(call, item)) };
  }
  const { id, object } = shown(call, json);
  if (verb === "create" && status === 200) {
    const message = `The cluster has the ${call.type} ${id} already: somebody made it at the same time. Import it, delete it, or choose another name.`;
    // Not "exists": the apply has left this create's mark on it, by which it would count as made here.
    return failure("already_exists", message, { means: "invalid", fault: "user" });
  }
  return { kind: "object", id, object };
}

export const serverSideApply: Dialect = {
  request: (verb, call) => {
    const { row, properties, id } = call;
    const name = id ?? (typeof properties["name"] === "string" ? properties["name"] : "");
    const item = { host: "cluster", path: `${row.path}/{id}`, id: name } as const;
    switch (verb) {
      case "create":
      case "update":
        return {
          ...item,
          method: "PATCH",
          path: `${item.path}?${APPLY}`,
          headers: { "content-type": "application/apply-patch+yaml" },
          text: JSON.stringify(document(call, name)),
        };
      case "delete":
        return { ...item, method: "DELETE", path: `${item.path}?propagationPolicy=Background` };
      case "list":
        return { host: "cluster", method: "GET", path: row.path };
      case "read":
      case "poll":
        return { ...item, method: "GET" };
    }
  },
  read: readAnswer,
};
