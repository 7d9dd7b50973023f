/** A problem that a person must mend before an installation can go on. Only its message is shown. */
export class InstallationError extends Error {
  override readonly name: string = "InstallationError";
}
