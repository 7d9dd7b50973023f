/**
 * Every expected failure. The union is closed and its map to HTTP is exhaustive: any other failure is a bug and
 * returns 500 `internal`.
 */
const kinds = {
  malformed_json: [400, "The body is not valid JSON"],
  validation_failed: [400, "The request is not valid"],
  unknown_parameter: [400, "Unknown member or parameter"],
  invalid_cursor: [400, "The cursor is not valid"],
  template_invalid: [400, "The template is not valid"],
  url_not_allowed: [400, "The URL is not allowed"],
  sign_in_failed: [400, "The sign-in failed"],
  credential_unavailable: [400, "The credential reference is not allowed"],
  unauthenticated: [401, "Authentication is required"],
  csrf_required: [403, "The CSRF header is required"],
  forbidden: [403, "Not allowed"],
  license_limit: [403, "The license does not allow this"],
  quota_exceeded: [403, "The limit is reached"],
  not_found: [404, "Not found"],
  method_not_allowed: [405, "Method not allowed"],
  conflict: [409, "The object was changed concurrently"],
  invalid_state: [409, "Not possible in this state"],
  slug_taken: [409, "The slug is taken"],
  release_taken: [409, "The release is taken"],
  resource_protected: [409, "The resource is protected"],
  in_use: [409, "Still in use"],
  last_owner: [409, "A tenant needs an owner"],
  nothing_to_roll_back: [409, "No earlier deployment to roll back to"],
  stale_plan: [409, "The plan is out of date"],
  idempotency_in_progress: [409, "The first request with this key is still running"],
  idempotency_key_reused: [409, "The idempotency key was used for another request"],
  webhook_disabled: [409, "The webhook is disabled"],
  precondition_failed: [412, "The object has another version"],
  payload_too_large: [413, "The body is too large"],
  unsupported_media_type: [415, "The content type is not accepted"],
  rate_limited: [429, "Too many requests"],
  internal: [500, "Internal error"],
  provider_error: [502, "The call to the provider failed"],
  unavailable: [503, "Temporarily unavailable"],
} as const satisfies Record<string, readonly [status: number, title: string]>;

export type ErrorCode = keyof typeof kinds;
export type ErrorStatus = (typeof kinds)[ErrorCode][0];

export const errorCodes = Object.keys(kinds) as ErrorCode[];

export function isErrorCode(text: string): text is ErrorCode {
  return Object.hasOwn(kinds, text);
}

export function errorStatus(code: ErrorCode): ErrorStatus {
  return kinds[code][0];
}

export function errorTitle(code: ErrorCode): string {
  return kinds[code][1];
}

/** One fault of the request and its place. */
export interface RequestFault {
  in: "body" | "query" | "path" | "header";
  /** JSON Pointer into the body; the parameter's name elsewhere. */
  pointer: string;
  code: string;
  detail: string;
}

/** An expected failure. `detail` is shown to the caller: no internal names, no secrets. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly faults: readonly RequestFault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      faults?: readonly RequestFault[];
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.name = "ApiError";
    this.code = code;
    this.faults = more.faults ?? [];
    this.headers = more.headers ?? {};
  }
}

/** The same bytes for another tenant's object as for one that does not exist. */
export function notFound(noun: string, hint?: string): ApiError {
  const detail = `There is no such ${noun}.`;
  return new ApiError("not_found", hint === undefined ? detail : `${detail} ${hint}`);
}
