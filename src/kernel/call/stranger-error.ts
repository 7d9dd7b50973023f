import { ApiError } from "#kernel/errors.ts";

/** The answer to a caller who sent no credential where one is needed. */
export function strangerError(): ApiError {
  return new ApiError(
    "unauthenticated",
    "Send an API key, `Authorization: Bearer <API_KEY>`, or sign in.",
    { headers: { "www-authenticate": "Bearer" } },
  );
}
