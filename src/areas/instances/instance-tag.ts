import type { InstanceRow } from "./store.ts";

/** An instance with the version that its ETag shows. */
export type TaggedInstance = Omit<InstanceRow, "version"> & { version: string };

/** The latest version of the template, if it is newer than the instance's; null: it is not. */
export function availableVersion({
  latestVersion,
  templateVersion,
}: Pick<InstanceRow, "latestVersion" | "templateVersion">): number | null {
  return latestVersion !== null && latestVersion > templateVersion ? latestVersion : null;
}

/** Adds the available template version to the ETag's version: the answer shows it, and it changes without the row. */
export function withTag(row: InstanceRow): TaggedInstance {
  const available = availableVersion(row);
  return { ...row, version: `${row.version}${available === null ? "" : `.${available}`}` };
}
