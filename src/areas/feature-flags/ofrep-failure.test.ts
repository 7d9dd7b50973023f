import { expect, it } from "vitest";
import { ApiError } from "#kernel/errors.ts";
import { ofrepFailure } from "./ofrep-failure.ts";

const invalid = (place: "body" | "header", pointer: string) =>
  new ApiError("validation_failed", "Not valid.", {
    faults: [{ in: place, pointer, code: "c", detail: "Must be a map." }],
  });

it.for<[string, unknown, number, string | undefined]>([
  ["a fault of our own", new Error("secret"), 500, "GENERAL"],
  ["what is no JSON", new Error("Unexpected token"), 400, "PARSE_ERROR"],
  ["what nests too deep", new ApiError("malformed_json", "Too deep."), 400, "PARSE_ERROR"],
  ["a body that is no map", invalid("body", ""), 400, "PARSE_ERROR"],
  ["a context that is no map", invalid("body", "/context"), 400, "INVALID_CONTEXT"],
  ["a header", invalid("header", "Idempotency-Key"), 400, "GENERAL"],
  ["no credential", new ApiError("unauthenticated", "Who?"), 401, undefined],
  ["another content type", new ApiError("unsupported_media_type", "No."), 415, undefined],
])("reports %s in the protocol's shape", ([, error, status, errorCode]) => {
  const failure = ofrepFailure(error, status);
  expect(failure?.errorCode).toBe(errorCode);
  expect(JSON.stringify(failure ?? "")).not.toContain("secret");
});
