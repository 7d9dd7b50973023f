import { describe, expect, it } from "vitest";
import { meaningOf } from "./meaning.ts";

describe("what an answer of Magalu means", () => {
  it.for([
    [409, "create", "A volume with this name already exists", "exists"],
    [422, "create", "The volume name must be unique", "exists"],
    [409, "create", "conflict", "exists"],
    [409, "create", "The VPC is being created", "busy"],
    [400, "create", "cluster in provisioning", "busy"],
    [409, "update", "conflict", "busy"],
    [409, "delete", "Subnet is in use by a port", "busy"],
    [400, "delete", "VPC still has subnets", "busy"],
    [422, "update", "The instance must have the status completed", "busy"],
    [422, "update", "The instance state must be running or stopped", "busy"],
    [423, "update", "locked", "busy"],
    [409, "create", "Quota exceeded for public ips", "quota"],
    [403, "create", "You have reached the limit: instance limit reached", "quota"],
    [422, "update", "The instance must be stopped", "invalid"],
    [404, "read", "no Route matched with those values", "invalid"],
    [404, "create", "VPC not found", "invalid"],
  ] as const)("%i to a %s that says %j: %s", ([status, verb, message, meaning]) => {
    expect(meaningOf(status, message, { verb })).toBe(meaning);
  });

  it("of a volume that has to be free to change waits for a person, at a machine for the volume", () => {
    const says = 'The volume\'s state must be "available".';
    const volume = { type: "magalu:Volume", verb: "update" } as const;
    expect(meaningOf(422, says, volume)).toBe("invalid");
    expect(meaningOf(409, "The volume is in-use", volume)).toBe("invalid");
    expect(meaningOf(422, "The status must be completed", volume)).toBe("busy");
    expect(meaningOf(422, says, { type: "magalu:Vm", verb: "create" })).toBe("busy");
  });

  it("is what the status says, for all others", () => {
    expect(meaningOf(404, "Not Found", { verb: "read" })).toBeUndefined();
    expect(meaningOf(403, "Forbidden", { verb: "create" })).toBeUndefined();
    expect(meaningOf(422, "cidr_block: not a range", { verb: "create" })).toBeUndefined();
    expect(meaningOf(429, "limit reached", { verb: "create" })).toBeUndefined();
    expect(meaningOf(400, "quota", { verb: "read" })).toBeUndefined();
  });

  it("takes nothing for gone that no service says", () => {
    expect(meaningOf(404, "unknown reason", { verb: "delete" }, false)).toBe("invalid");
  });
});
