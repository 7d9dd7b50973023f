import { describe, expect, it } from "vitest";
import { problemOf } from "#http/problem.ts";
import { ApiError, errorCodes, errorStatus, errorTitle, isErrorCode } from "./errors.ts";

/** Clients branch on these codes: removing one or changing its status breaks them. */
const published: Readonly<Record<string, number>> = {
  malformed_json: 400,
  validation_failed: 400,
  unknown_parameter: 400,
  invalid_cursor: 400,
  template_invalid: 400,
  url_not_allowed: 400,
  credential_unavailable: 400,
  unauthenticated: 401,
  csrf_required: 403,
  forbidden: 403,
  license_limit: 403,
  quota_exceeded: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  invalid_state: 409,
  sign_in_failed: 400,
  release_taken: 409,
  slug_taken: 409,
  resource_protected: 409,
  in_use: 409,
  last_owner: 409,
  stale_plan: 409,
  idempotency_in_progress: 409,
  idempotency_key_reused: 409,
  nothing_to_roll_back: 409,
  webhook_disabled: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
  provider_error: 502,
  unavailable: 503,
};

describe("the error codes", () => {
  it("are the published ones, with their statuses", () => {
    expect(Object.fromEntries(errorCodes.map((code) => [code, errorStatus(code)]))).toEqual(
      published,
    );
  });

  it("have unique titles", () => {
    const titles = errorCodes.map(errorTitle);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z].*[^.]$/);
  });

  it.each(["constructor", "__proto__", "toString", "", "Not_Found"])(
    "do not include %j",
    (text) => {
      expect(isErrorCode(text)).toBe(false);
    },
  );
});

describe("problemOf", () => {
  const at = { path: "/api/v1/x", requestId: "r1" };

  it("has the members of RFC 9457 and the code, and does not reveal the cause", () => {
    const error = new ApiError("conflict", "Read it again.", {
      cause: new Error("D1_ERROR: secret"),
    });
    expect(problemOf(error, at)).toEqual({
      type: "/docs/errors#conflict",
      title: "The object was changed concurrently",
      status: 409,
      detail: "Read it again.",
      instance: "/api/v1/x",
      code: "conflict",
      requestId: "r1",
    });
  });

  it("lists the faults, if any", () => {
    const faults = [
      { in: "body", pointer: "/name", code: "too_small", detail: "Too short." },
    ] as const;
    expect(
      problemOf(new ApiError("validation_failed", "Not valid.", { faults }), at).errors,
    ).toEqual(faults);
  });
});
