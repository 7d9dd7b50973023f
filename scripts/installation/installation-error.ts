/** What a person has to mend before an installation can go on: its message is all that is shown. */
export class InstallationError extends Error {
  override readonly name: string = "InstallationError";
}
