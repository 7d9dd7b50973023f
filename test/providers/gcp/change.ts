/** How the fake Google changes an object: by a patch, a mask, a setting, or a method of one field. */
import { changedAt, jsonAt } from "#platform/at-path.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import type { Kind } from "./kinds.ts";
import { type GoogleObject, printOf } from "./shown.ts";

export type Refusal = { status: number; reason: string; message: string; rpc: string };
export const refusal = (status: number, reason: string, rpc: string, message: string): Refusal => ({
  status,
  reason,
  message,
  rpc,
});

export function isRefusal(answer: JsonMap | Refusal): answer is Refusal {
  return "rpc" in answer;
}

export function patched(
  object: GoogleObject,
  kind: Kind,
  method: string,
  query: URLSearchParams,
  body: JsonMap,
): JsonMap | Refusal {
  const { patch, fingerprint } = kind;
  if (method === "PUT" && object.type === "sql/User") return { ...object.body, ...body };
  if (method === "PUT" && kind.answers === "container") return setting(object, body);
  if (method !== "PATCH" || patch === undefined)
    return refusal(404, "notFound", "NOT_FOUND", `No ${method} of a ${object.type}.`);
  const stale = refusal(412, "conditionNotMet", "FAILED_PRECONDITION", "Precondition Failed");
  if (fingerprint === "fingerprint" && body["fingerprint"] !== printOf(object)) return stale;
  if (
    fingerprint === "metageneration" &&
    query.get("ifMetagenerationMatch") !== String(object.version)
  )
    return stale;
  const { fingerprint: _, ...sent } = body;
  if (patch === "merge") {
    const merged = mergePatch(object.body, sent);
    return jsonAt(sent, "settings.settingsVersion") === undefined
      ? merged
      : changedAt(merged, "settings.settingsVersion", () => undefined);
  }
  const inBody = typeof patch === "object";
  const mask = inBody ? body["updateMask"] : query.get("updateMask");
  const from = inBody ? body[patch.maskKey] : body;
  if (typeof mask !== "string" || mask === "" || from === undefined || !isJsonMap(from))
    return refusal(400, "invalid", "INVALID_ARGUMENT", "The update_mask is empty.");
  let next = object.body;
  for (const path of mask.split(",")) next = changedAt(next, path, () => jsonAt(from, path));
  return next;
}

/** A setting of a cluster, or of a node pool. */
function setting(object: GoogleObject, body: JsonMap): JsonMap {
  const names: Readonly<Record<string, string>> = {
    desiredReleaseChannel: "releaseChannel",
    desiredLoggingConfig: "loggingConfig",
    desiredLocations: "locations",
    nodeVersion: "version",
  };
  const { update } = body;
  const sent = update !== undefined && isJsonMap(update) ? update : body;
  const set = Object.entries(sent).map(([key, value]): [string, Json] => [
    names[key] ?? key,
    value,
  ]);
  return { ...object.body, ...Object.fromEntries(set) };
}

export function called(
  object: GoogleObject,
  call: string,
  body: JsonMap,
  query: URLSearchParams,
): JsonMap | Refusal {
  const stale = refusal(
    412,
    "conditionNotMet",
    "FAILED_PRECONDITION",
    "Labels fingerprint either invalid or resource labels have changed",
  );
  switch (call) {
    case "setLabels":
    case "setResourceLabels":
      if (body["labelFingerprint"] !== printOf(object)) return stale;
      return call === "setLabels"
        ? { ...object.body, labels: body["labels"] ?? {} }
        : { ...object.body, resourceLabels: body["resourceLabels"] ?? {} };
    case "setTags":
    case "setMetadata":
      if (body["fingerprint"] !== printOf(object)) return stale;
      return {
        ...object.body,
        [call === "setTags" ? "tags" : "metadata"]: { items: body["items"] ?? [] },
      };
    case "setSize":
      return object.body;
    case "resize":
      return query.has("size")
        ? { ...object.body, targetSize: Number(query.get("size")) }
        : { ...object.body, ...body };
    case "setDeletionProtection":
      return { ...object.body, deletionProtection: query.get("deletionProtection") === "true" };
    default:
      return { ...object.body, ...body };
  }
}
