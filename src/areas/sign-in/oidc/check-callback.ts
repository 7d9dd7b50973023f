import { type Checked, failed, passed } from "./reason.ts";

/** The parameters of the provider's redirect. */
export interface CallbackAnswer {
  state: string;
  /** RFC 9207; undefined: it was not sent. */
  iss: string | undefined;
  /** Undefined: the provider refused the sign-in. */
  code: string | undefined;
  /** The provider's `error`, if it is well-formed. */
  error: string | undefined;
}

export const stateShape = /^[A-Za-z0-9_-]{43}$/;

/**
 * Each parameter at most once (OAuth 2.0, 3.1): of a repeated one, some readers take the first and others the
 * last, and an attacker who can append one could choose.
 */
export function checkCallback(query: URLSearchParams): Checked<CallbackAnswer> {
  const bad = (cause: string) => failed("parameters_invalid", cause);
  const names = [...query.keys()];
  if (new Set(names).size < names.length) return bad("a parameter comes twice");
  const state = query.get("state");
  if (state === null || !stateShape.test(state)) return bad("state is not one of ours");
  const code = query.get("code") ?? undefined;
  const error = query.get("error") ?? undefined;
  // Tokens in the URL belong to the implicit and hybrid flows, which are not used.
  for (const name of ["id_token", "access_token", "response"])
    if (query.has(name)) return bad(`${name} was not asked for`);
  if ((code === undefined) === (error === undefined)) return bad("neither code nor error, or both");
  if (code !== undefined && !/^[\x20-\x7e]{1,4096}$/.test(code)) return bad("code is malformed");
  const readable = error !== undefined && /^[\x20-\x7e]{1,100}$/.test(error) ? error : "malformed";
  const iss = query.get("iss") ?? undefined;
  return passed({ state, iss, code, error: error === undefined ? undefined : readable });
}
