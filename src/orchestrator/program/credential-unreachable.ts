/** The store of the credential cannot be reached now. The run waits and repeats the request. */
export class CredentialUnreachable extends Error {}
