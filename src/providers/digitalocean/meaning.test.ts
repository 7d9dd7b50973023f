import { describe, expect, it } from "vitest";
import { meaningOf } from "./meaning.ts";

describe("what an answer of DigitalOcean means", () => {
  it.for([
    [409, "create", "SSH Key is already in use on your account", "exists"],
    [422, "create", "SSH Key is already in use on your account", "exists"],
    [422, "create", "name is not available", "exists"],
    [409, "delete", "The request could not be completed due to a conflict.", "busy"],
    [409, "create", "Droplet already has a pending event.", "busy"],
    [422, "update", "Droplet already has a pending event.", "busy"],
    [403, "delete", "Can not delete VPC with members", "busy"],
    [412, "delete", "cannot delete a project with resources. move or remove them first", "busy"],
    [423, "update", "locked", "busy"],
    [403, "update", "Load Balancer can't be updated while it processes previous actions", "busy"],
    [409, "update", "a VPC with this name already exists", "exists"],
    [422, "update", "name already exists", "exists"],
    [409, "update", "The request could not be completed due to a conflict.", "busy"],
    [422, "delete", "certificate is in use by a load balancer", "busy"],
    [403, "delete", "the certificate is used by the load balancer front", "busy"],
    [400, "update", "Kubernetes cluster is not in a running state", "busy"],
    [422, "create", "you have reached the volume limit", "quota"],
    [422, "create", "creating this droplet will exceed your droplet limit", "quota"],
    [422, "create", "namespace limit reached", "quota"],
    [412, "create", "registry is not eligible for tier because: [OverRegistryLimit]", "quota"],
  ] as const)("%i to a %s that says %j: %s", ([status, verb, message, meaning]) => {
    expect(meaningOf(status, message, { verb })).toBe(meaning);
  });

  it("is what the status says, for all others", () => {
    expect(meaningOf(403, "You are not authorized", { verb: "create" })).toBeUndefined();
    expect(meaningOf(422, "size is not valid", { verb: "create" })).toBeUndefined();
    const name = "cluster name: must not exceed the character limit";
    expect(meaningOf(422, name, { verb: "create" })).toBeUndefined();
    expect(meaningOf(404, "already exists", { verb: "read" })).toBeUndefined();
    expect(meaningOf(429, "limit reached", { verb: "read" })).toBeUndefined();
  });

  it("waits until a new database takes what is made in it", () => {
    const made = { verb: "create", type: "digitalocean:DatabaseUser" } as const;
    expect(meaningOf(412, "", made)).toBe("busy");
    expect(meaningOf(412, "", { ...made, type: "digitalocean:Droplet" })).not.toBe("busy");
    expect(meaningOf(412, "", { ...made, verb: "update" })).not.toBe("busy");
  });

  it("does not wait for a region's default VPC, which is never deleted", () => {
    const message = "Can not delete a default VPC with members";
    expect(meaningOf(403, message, { verb: "delete" })).toBe("invalid");
  });
});
