import type { InstanceRow } from "./store.ts";

/** An instance as it is answered: the version is what the ETag shows. */
export type TaggedInstance = Omit<InstanceRow, "version"> & { version: string };

/** The newer version of its template that an instance could take; null: it has the latest. */
export function availableVersion({
  latestVersion,
  templateVersion,
}: Pick<InstanceRow, "latestVersion" | "templateVersion">): number | null {
  return latestVersion !== null && latestVersion > templateVersion ? latestVersion : null;
}

/** The instance with the version that its ETag shows: which version it could take changes without it. */
export function tagged(row: InstanceRow): TaggedInstance {
  const available = availableVersion(row);
  return { ...row, version: `${row.version}${available === null ? "" : `.${available}`}` };
}
