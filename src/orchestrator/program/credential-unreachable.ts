/** Where the credential is stored cannot be reached now: nothing is known about it, and the run waits and repeats. */
export class CredentialUnreachable extends Error {}
