import { ApiError } from "#kernel/errors.ts";

/** The error for a request without a credential where one is required. */
export function strangerError(): ApiError {
  return new ApiError(
    "unauthenticated",
    "Send an API key, `Authorization: Bearer <API_KEY>`, or sign in.",
    { headers: { "www-authenticate": "Bearer" } },
  );
}
