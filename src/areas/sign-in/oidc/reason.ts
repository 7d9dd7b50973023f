/** Every way in which a sign-in may fail: the code the sign-in page gets, and what is told. */
export const signInReasons = {
  provider_unreachable:
    "The sign-in provider did not answer, or not as OpenID Connect asks. Try again soon.",
  not_configured:
    "The sign-in provider is not set up. GET /health tells the operator what is missing.",
  provider_refused: "The sign-in was refused, or given up, at the provider.",
  parameters_invalid: "The provider sent the browser back with parameters that make no sense.",
  sign_in_unknown:
    "The sign-in is not known: it took more than ten minutes, was finished before, or began in another browser. Begin again.",
  issuer_mismatch: "The answer is of another provider than the one that was asked.",
  code_refused: "The provider did not accept the sign-in's code. Begin again.",
  token_invalid: "The provider's ID token is not valid.",
  key_unknown: "The provider's ID token is signed with a key the provider does not publish.",
  user_info_invalid: "The provider's user information is not of the one who signed in.",
  invitation_invalid:
    "The invitation is not valid any more: it was used, withdrawn, or is older than seven days. A member signs in without it.",
  tenant_full: "The tenant has no room for another member. Ask whoever invited you.",
} as const;

export type SignInReason = keyof typeof signInReasons;

/** What went wrong; `cause` is for the log alone. */
export interface Failure {
  ok: false;
  reason: SignInReason;
  cause: string;
}

export type Checked<T> = { ok: true; value: T } | Failure;

export function failed(reason: SignInReason, cause: string): Failure {
  return { ok: false, reason, cause };
}

export function passed<T>(value: T): { ok: true; value: T } {
  return { ok: true, value };
}
