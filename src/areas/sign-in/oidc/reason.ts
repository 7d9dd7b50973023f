/** Every way in which a sign-in can fail: the code for the sign-in page, and the error text. */
export const signInReasons = {
  provider_unreachable:
    "The sign-in provider did not answer, or its answer does not follow OpenID Connect. Try again soon.",
  not_configured:
    "The sign-in provider is not fully configured. GET /health shows operators what is missing.",
  provider_refused: "The sign-in was refused or canceled at the provider. Start again.",
  parameters_invalid:
    "The provider redirected here with invalid parameters. Start the sign-in again.",
  sign_in_unknown:
    "The sign-in is unknown: it took more than ten minutes, was already finished, or was started in another browser. Start again.",
  issuer_mismatch:
    "The answer is from a different provider than the one the sign-in was started with. Start again.",
  code_refused: "The provider did not accept the sign-in's code. Start again.",
  token_invalid: "The provider's ID token is not valid.",
  key_unknown: "The provider's ID token is signed with a key that the provider does not publish.",
  user_info_invalid:
    "The provider's user information belongs to a different user than the one who signed in.",
} as const;

export type SignInReason = keyof typeof signInReasons;

/** A failed check; `cause` is only for the log. */
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
