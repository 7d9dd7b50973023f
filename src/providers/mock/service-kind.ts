/** What services have that the mock's other kinds lack: nested bodies, a size with a call of its own, a secret. */
import { canonicalJson, type JsonMap } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";

export const serviceParts = ["resize", "connection"] as const;
export type ServicePart = (typeof serviceParts)[number];

/** The properties after a PATCH, a JSON merge patch; `undefined`: it would change the size. */
export function patchedService(before: JsonMap, patch: JsonMap): JsonMap | undefined {
  const after = mergePatch(before, patch);
  const size = (properties: JsonMap): string => canonicalJson(properties["size"] ?? null);
  return size(before) === size(after) ? after : undefined;
}

/** The properties after a resize; `undefined`: its body is not `{ "size": … }` alone. */
export function resizedService(before: JsonMap, body: JsonMap): JsonMap | undefined {
  const { size, ...others } = body;
  if (size === undefined || size === null || Object.keys(others).length > 0) return undefined;
  return { ...before, size };
}

/** The properties as the cloud shows them: it keeps `rules` as a set. */
export function shownService(properties: JsonMap): JsonMap {
  const { rules } = properties;
  if (!Array.isArray(rules)) return properties;
  const byText = new Map(rules.map((rule) => [canonicalJson(rule), rule]));
  const shown = [...byText].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, rule]) => rule);
  return { ...properties, rules: shown };
}

/** How clients reach the service: a secret. */
export function connectionOf(id: string): JsonMap {
  const host = `${id}.mock.cloud.invalid`;
  const password = id.split("").reverse().join("").slice(0, 12);
  return { host, uri: `mock://app:${password}@${host}` };
}
