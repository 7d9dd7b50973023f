import { describe, expect, it } from "vitest";
import { meaningOf, WRONG_ID } from "./meaning.ts";

describe("what an answer of Vultr means", () => {
  it.for([
    [400, "create", "Domain already exists", "exists"],
    [400, "update", "The VPC is already attached", "exists"],
    [400, "create", "This rule is already defined", "exists"],
    [400, "create", "You have reached the maximum number of active virtual machines", "quota"],
    [403, "create", "Monthly fee limit reached for this account", "quota"],
    [400, "update", "Server is currently locked", "busy"],
    [400, "delete", "This VPC is still in use by a server", "busy"],
    [400, "delete", "The snapshot is attached", "busy"],
    [409, "delete", "An operation is in progress", "busy"],
    [409, "update", "Conflict", "invalid"],
    [404, "create", "Invalid VPC", "invalid"],
  ] as const)("%i to a %s that says %j: %s", ([status, verb, words, meaning]) => {
    expect(meaningOf(status, words, { verb }, true)).toEqual({ means: meaning });
  });

  it("waits with a replica for the backup of its primary, and with nothing else for one", () => {
    const words = "The database has no backups available.";
    for (const [type, verb, said] of [
      ["vultr:DatabaseReplica", "create", { means: "busy" }],
      ["vultr:DatabaseReplica", "update", {}],
      ["vultr:Database", "create", {}],
    ] as const)
      expect(meaningOf(400, words, { verb, type }, true)).toEqual(said);
  });

  it("is what the status says, for all others", () => {
    const none = [
      [401, "Invalid API token.", "read"],
      [403, "You do not have permission, as the limit is in use", "delete"],
      [404, "Not found.", "read"],
      [404, "Not found.", "delete"],
      [400, "This plan is not available in the selected region", "create"],
      [400, "Invalid plan id", "update"],
      [429, "Rate limit reached", "create"],
      [500, "The server is locked", "create"],
    ] as const;
    for (const [status, words, verb] of none)
      expect(meaningOf(status, words, { verb }, true), words).toEqual({});
  });

  it("leaves open whether an object is gone of whose id it says that it is wrong", () => {
    for (const words of ["Invalid instance ID.", "Not a valid Database Subscription UUID"])
      for (const verb of ["read", "delete"] as const)
        expect(meaningOf(400, words, { verb }, true)).toEqual({ means: "denied", code: WRONG_ID });
  });

  it("does not take a 404 for Vultr's word that something before it said", () => {
    expect(meaningOf(404, "unknown reason", { verb: "read" }, false)).toEqual({ means: "denied" });
  });
});
