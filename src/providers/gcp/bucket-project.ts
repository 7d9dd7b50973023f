/** Names of buckets are global, and do not say in which project one is: its list does. */
import { isJsonMap } from "#platform/json.ts";
import type { Outcome, ProviderContext } from "#providers/provider.ts";
import type { Failed, RestProviderDefinition } from "#providers/rest/definition.ts";
import { failure } from "#providers/rest/requests/attempt.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { gcpTypes } from "./types.ts";

export const BUCKET = "gcp:storage/Bucket";

/** Why the bucket may not be touched; undefined: it is in the project. */
export async function bucketElsewhere(
  definition: RestProviderDefinition,
  context: ProviderContext,
  name: string,
  project: string,
): Promise<Failed | undefined> {
  const row = gcpTypes.rowOf(BUCKET);
  if (row === undefined) throw new Error(`There is no row of ${BUCKET}`);
  const attempt = { definition, context, row, type: BUCKET, verb: "list" } as const;
  // In the order of their names: the one that is its prefix comes first.
  const query = { prefix: name, fields: "items/name" };
  const result = await sendRequest(
    { ...attempt, properties: { project } },
    { method: "GET", path: row.path, query },
  );
  if (!result.ok)
    // What is missing is no bucket, but the project.
    return result.failed.means === "gone" ? { ...result.failed, means: "denied" } : result.failed;
  const { json } = result.answer;
  const items = json !== undefined && isJsonMap(json) ? json["items"] : undefined;
  const isThere =
    Array.isArray(items) && items.some((one) => isJsonMap(one) && one["name"] === name);
  if (isThere) return undefined;
  const message = `The bucket ${name} is not in the project ${project}. Check the id, or use a target with its project.`;
  return failure("invalid_id", message, { fault: "user" });
}

/** Changes a bucket of the project. `look`: reads it, since one that is not in the list may be gone. */
export async function inProject(
  elsewhere: Promise<Failed | undefined>,
  look: () => Promise<Outcome>,
  change: () => Promise<Outcome>,
): Promise<Outcome> {
  const refused = await elsewhere;
  if (refused === undefined) return change();
  if (refused.code !== "invalid_id") return refused;
  const seen = await look();
  return seen.kind === "gone" || seen.kind === "failed" ? seen : refused;
}
