import { describe, expect, it } from "vitest";
import type { Json } from "#platform/json.ts";
import type { Answer } from "#providers/transport.ts";
import { armError } from "./meaning.ts";

const answer = (status: number, json?: Json): Answer => ({
  ok: true,
  status,
  headers: new Headers(),
  ...(json === undefined ? {} : { json }),
});
const said = (code: string, message = "words"): Json => ({ error: { code, message } });

describe("an error of ARM", () => {
  it.each([
    [404, "ResourceNotFound", "read", "gone"],
    [404, "ResourceGroupNotFound", "read", "gone"],
    [404, "ParentResourceNotFound", "delete", "gone"],
    [404, "AgentPoolNotFound", "read", "gone"],
    [404, "ContainerNotFound", "read", "gone"],
    [404, "ResourceGroupNotFound", "create", "invalid"],
    [404, "ParentResourceNotFound", "create", "invalid"],
    // None of these says that the object does not exist: it must not be created again.
    [404, "SubscriptionNotFound", "read", "denied"],
    [404, "InvalidResourceType", "read", "invalid"],
    [404, "InvalidResourceNamespace", "read", "invalid"],
    [404, "SomethingElse", "read", "invalid"],
    [404, "FeatureNotFound", "read", "busy"],
    [404, "ManagementGroupNotFound", "list", "busy"],
    [404, "FeatureNotFound", "update", "invalid"],
    [400, "NoRegisteredProviderFound", "read", "invalid"],
    [400, "ResourceNotFound", "update", "invalid"],
    [403, "AuthorizationFailed", "create", "denied"],
    [403, "RequestDisallowedByPolicy", "create", "invalid"],
    [409, "ScopeLocked", "delete", "denied"],
    [409, "ReadOnlyDisabledSubscription", "create", "denied"],
    [409, "MissingSubscriptionRegistration", "create", "invalid"],
    [409, "StorageAccountAlreadyTaken", "create", "exists"],
    [409, "RegistryNameAlreadyInUse", "create", "exists"],
    [409, "InvalidResourceLocation", "create", "exists"],
    [409, "RoleAssignmentExists", "create", "exists"],
    [409, "RoleAssignmentExists", "update", "busy"],
    [429, "AnotherOperationInProgress", "update", "busy"],
    [409, "ConflictingServerOperation", "create", "busy"],
    [409, "Conflict", "update", "busy"],
    [409, "PropertyChangeNotAllowed", "update", "invalid"],
    [400, "InUseSubnetCannotBeDeleted", "delete", "busy"],
    [409, "CannotDeleteResource", "delete", "busy"],
    [409, "PublicIPCountLimitReached", "create", "quota"],
    [409, "QuotaExceeded", "create", "quota"],
    [409, "ZonalAllocationFailed", "create", "quota"],
    [409, "SkuNotAvailable", "create", "invalid"],
    [412, "PreconditionFailed", "create", "stale"],
    [429, "TooManyRequests", "read", "throttled"],
    [429, "OperationNotAllowed", "create", "throttled"],
    [409, "SomethingSpecial", "create", "invalid"],
    [500, "InternalServerError", "create", undefined],
    [400, "BadRequest", "create", undefined],
  ] as const)("%i %s of a %s means %s", (status, code, verb, means) => {
    const error = armError(answer(status, said(code)), { verb });
    expect(error.code).toBe(code);
    expect(error.means).toBe(means);
  });

  it("waits until a new principal is known where roles are given", () => {
    const meansOf = (type: string, verb: "create" | "update" | "delete" | "read") =>
      armError(answer(400, said("PrincipalNotFound")), { verb, type }).means;
    const assignment = "azure:Microsoft.Authorization/roleAssignments";
    expect(meansOf(assignment, "create")).toBe("busy");
    expect(meansOf(`${assignment}@2022-04-01`, "update")).toBe("busy");
    expect(meansOf(assignment, "delete")).toBe("busy");
    expect(meansOf(assignment, "read")).not.toBe("busy");
    expect(meansOf("azure:Microsoft.KeyVault/vaults", "create")).not.toBe("busy");
  });

  it("says in its words what a code leaves open", () => {
    const meansOf = (code: string, message: string) =>
      armError(answer(409, said(code, message)), { verb: "create" }).means;
    expect(meansOf("OperationNotAllowed", "exceeding approved Total Regional Cores quota")).toBe(
      "quota",
    );
    expect(meansOf("OperationNotAllowed", "the machine is marked for deletion")).toBe("invalid");
    expect(meansOf("Conflict", "Website with given name shop already exists.")).toBe("exists");
    expect(meansOf("ConflictError", "exists in deleted state")).toBe("exists");
    expect(meansOf("Conflict", "another operation is in progress")).toBe("busy");
    expect(meansOf("", "")).toBe("busy");
  });

  it("is read in its inner errors and in the older form", () => {
    const inner = {
      error: { code: "DeploymentFailed", message: "x", details: [{ code: "QuotaExceeded" }] },
    };
    expect(armError(answer(409, inner), { verb: "create" }).means).toBe("quota");
    const old = { Code: "Conflict", Message: "already exists" };
    expect(armError(answer(409, old), { verb: "create" })).toMatchObject({
      code: "Conflict",
      means: "exists",
    });
  });

  it.each<[string, Json | undefined]>([
    ["nothing", undefined],
    ["foreign words", { message: "no Route matched with those values" }],
    ["a code outside of ARM's form", { code: "NotFound", message: "no page" }],
    ["an error without a code", { error: { message: "none" } }],
  ])("says nothing of the object by a 404 with %s", (_, json) => {
    const meansOf = (verb: "read" | "list" | "create" | "update" | "delete") =>
      armError(answer(404, json), { verb }).means;
    expect((["read", "list", "create", "update"] as const).map(meansOf)).toEqual(
      Array.from({ length: 4 }, () => "busy"),
    );
    // The object is read after it.
    expect(meansOf("delete")).toBe("gone");
    expect(
      armError(answer(404, { Code: "NotFound", Message: "none" }), { verb: "read" }),
    ).toMatchObject({
      code: "NotFound",
      means: "gone",
    });
  });

  it("names the right that is missing, the linked one where that is it", () => {
    const plain =
      "The client 'x' with object id 'y' does not have authorization to perform action 'Microsoft.Network/virtualNetworks/write' over scope '/subscriptions/z'.";
    expect(
      armError(answer(403, said("AuthorizationFailed", plain)), { verb: "create" }),
    ).toMatchObject({ permission: "Microsoft.Network/virtualNetworks/write" });
    const linked =
      "The client has permission to perform action 'Microsoft.Network/networkInterfaces/write' on scope 'a'; however, it does not have permission to perform action(s) 'Microsoft.Network/virtualNetworks/subnets/join/action' on the linked scope(s) 'b'.";
    expect(
      armError(answer(403, said("LinkedAuthorizationFailed", linked)), { verb: "create" }),
    ).toMatchObject({ permission: "Microsoft.Network/virtualNetworks/subnets/join/action" });
  });

  it.each([
    [
      "MissingSubscriptionRegistration",
      "The subscription is not registered to use namespace 'Microsoft.App'.",
      "az provider register --namespace Microsoft.App",
    ],
    ["ResourceGroupNotFound", "none", "Create the resource group first"],
    ["SkuNotAvailable", "none", "az vm list-skus"],
    ["PrincipalNotFound", "none", "properties.principalType"],
    ["NoRegisteredProviderFound", "none", "version of its API"],
  ])("%s says what to do", (code, message, words) => {
    const error = armError(answer(409, said(code, message)), { verb: "create" });
    expect(error.message).toContain(words);
  });

  it("names the policy that refuses", () => {
    const json = {
      error: {
        code: "RequestDisallowedByPolicy",
        message: "refused",
        additionalInfo: [
          { type: "PolicyViolation", info: { policyAssignmentDisplayName: "Only in Europe" } },
        ],
      },
    };
    expect(armError(answer(403, json), { verb: "create" }).message).toContain(
      'The policy "Only in Europe"',
    );
  });
});
