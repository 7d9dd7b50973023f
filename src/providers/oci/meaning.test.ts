import { describe, expect, it } from "vitest";
import type { Answered } from "#providers/rest/definition.ts";
import { grantSpreads } from "#providers/rest/spreading.ts";
import { ociError } from "./meaning.ts";

const refusal = (status: number, code: string, verb: Answered["verb"], message = "said") =>
  ociError({ ok: true, status, headers: new Headers(), json: { code, message } }, { verb });

describe("a refusal", () => {
  it.each<[number, string, Answered["verb"], string | undefined]>([
    [404, "NotAuthorizedOrNotFound", "read", "denied"],
    [404, "NotAuthorizedOrNotFound", "delete", "denied"],
    [404, "NotAuthorizedOrNotFound", "create", "denied"],
    [404, "BucketNotFound", "read", "denied"],
    [404, "BucketNotFound", "delete", "denied"],
    [404, "NamespaceNotFound", "read", "denied"],
    [404, "RepositoryNotFound", "read", undefined],
    [404, "NamespaceNotFound", "create", "invalid"],
    [401, "NotAuthenticated", "read", "denied"],
    [409, "IncorrectState", "delete", "busy"],
    [409, "Conflict", "create", "busy"],
    [409, "BucketAlreadyExists", "create", "exists"],
    [409, "NotAuthorizedOrResourceAlreadyExists", "create", "denied"],
    [409, "InvalidatedRetryToken", "create", "invalid"],
    [412, "NoEtagMatch", "update", "stale"],
    [400, "LimitExceeded", "create", "quota"],
    [400, "QuotaExceeded", "create", "quota"],
    [400, "InvalidParameter", "create", "invalid"],
    [429, "TooManyRequests", "create", "throttled"],
    [500, "InternalServerError", "create", undefined],
  ])("%i %s of a %s means %s", (status, code, verb, means) => {
    expect(refusal(status, code, verb).means).toBe(means);
  });

  it.each([
    ["NotAuthorizedOrNotFound", "Authorization failed or requested resource not found."],
    ["RelatedResourceNotAuthorizedOrNotFound", "The subnet was not found."],
    [
      "InvalidParameter",
      "Compartment {ocid1.compartment.oc1..a} was not found in Compartment Tree",
    ],
  ])("%s of a create or update may be of what is not known everywhere: %s", (code, message) => {
    expect(refusal(404, code, "create", message).spreads).toEqual(grantSpreads);
    expect(refusal(404, code, "update", message).spreads).toEqual(grantSpreads);
    expect(refusal(404, code, "delete", message).spreads).toBeUndefined();
    expect(refusal(400, "InvalidParameter", "create").spreads).toBeUndefined();
  });

  it("of a shape without capacity is a quota, though its status is 500", () => {
    expect(refusal(500, "InternalError", "create", "Out of host capacity.").means).toBe("quota");
  });

  it("with a 404 that is not Oracle's does not count an object as gone", () => {
    const answer = { ok: true, status: 404, headers: new Headers(), json: "nginx" } as const;
    expect(ociError(answer, { verb: "read" }).means).toBe("denied");
  });
});
