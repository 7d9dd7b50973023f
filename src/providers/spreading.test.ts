/** Refusals as users report them in public: those that waiting mends, and those that it does not. */
import { describe, expect, it } from "vitest";
import { spreadsAtAws } from "./aws/spreading.ts";
import { spreadsAtAzure } from "./azure/spreading.ts";
import { spreadsAtGoogle } from "./gcp/spreading.ts";
import { grantSpreads, objectSpreads } from "./rest/spreading.ts";

describe("AWS", () => {
  it.each([
    "The role defined for the function cannot be assumed by Lambda.",
    "ECS was unable to assume the role 'arn:aws:iam::1:role/task' that was provided for this task.",
    "Neither the global service principal states.amazonaws.com, nor the regional one is authorized to assume the provided role.",
    "Firehose is unable to assume role arn:aws:iam::1:role/stream. Please check the role provided.",
    "The provided execution role does not have permissions to call CreateNetworkInterface on EC2",
    "Value (app) for parameter iamInstanceProfile.name is invalid. Invalid IAM Instance Profile name",
    'Invalid principal in policy: "AWS":"arn:aws:iam::1:role/app"',
    "Policy contains a statement with one or more invalid principals.",
    "The provided principal was invalid. Check the principal and try again.",
    "KMS key arn:aws:kms:eu-1:1:key/a is not accessible: the key does not exist, or you do not have access to it",
  ])("waits for a grant: %s", (message) => {
    expect(spreadsAtAws(message, "create")).toEqual(grantSpreads);
    expect(spreadsAtAws(message, "delete")).toBeUndefined();
  });

  it.each([
    "CreateService error: The target group with targetGroupArn arn:aws:tg does not have an associated load balancer.",
    "One or more load balancers not found",
    "One or more listeners not found",
    "The vpc ID 'vpc-1' does not exist",
    "The subnet ID 'subnet-1' does not exist",
    "The security group 'sg-1' does not exist",
    "The routeTable ID 'rtb-1' does not exist",
  ])("waits for a new object: %s", (message) => {
    expect(spreadsAtAws(message, "create")).toEqual(objectSpreads);
    expect(spreadsAtAws(message, "delete")).toBeUndefined();
  });

  it("waits for a role that it makes itself", () => {
    const message =
      "Unable to assume the service linked role. Please verify that the ECS service linked role exists.";
    expect(spreadsAtAws(message, "create")).toEqual({ ...objectSpreads, byCloud: true });
  });

  it.each([
    "Model validation failed (#: required key [RoleArn] not found)",
    "The image id '[ami-1]' does not exist",
    "Bucket name already exists",
    "User is not authorized to perform: iam:PassRole on resource: arn:aws:iam::1:role/app",
  ])("does not wait: %s", (message) => {
    expect(spreadsAtAws(message, "create")).toBeUndefined();
  });
});

describe("Azure", () => {
  const said = (code: string, message = "", ...inner: string[]) => ({ code, message, inner });

  it.each([
    [said("ResourceGroupNotFound", "Resource group 'app' could not be found."), objectSpreads],
    [said("ParentResourceNotFound", "The parent resource was not found."), objectSpreads],
    [said("ManagedEnvironmentNotProvisioned", "The environment 'a' is not there."), objectSpreads],
    [said("PrincipalNotFound", "Principal 8a does not exist in the directory 1f."), grantSpreads],
    [
      said(
        "Forbidden",
        "Caller is not authorized to perform action on resource.",
        "ForbiddenByRbac",
      ),
      grantSpreads,
    ],
    [
      said(
        "InvalidParameterValueInContainerTemplate",
        "Unable to get value using Managed identity /subscriptions/1/identities/app for secret db",
      ),
      grantSpreads,
    ],
  ])("waits: %j", (refusal, spreads) => {
    expect(spreadsAtAzure(refusal, "create")).toEqual(spreads);
    expect(spreadsAtAzure(refusal, "delete")).toBeUndefined();
  });

  it.each([
    said("AuthorizationFailed", "The client does not have authorization"),
    said("SkuNotAvailable"),
  ])("does not wait: %j", (refusal) => {
    expect(spreadsAtAzure(refusal, "create")).toBeUndefined();
  });
});

describe("Google", () => {
  it.each([
    "Service account app@shop.iam.gserviceaccount.com does not exist.",
    "Permission 'iam.serviceaccounts.actAs' denied on service account app@shop.iam.gserviceaccount.com",
    "Permission denied on secret: projects/1/secrets/db/versions/latest for Revision service account app@shop",
    "Cloud Run Admin API has not been used in project 1 before or it is disabled.",
  ])("waits for a grant: %s", (message) => {
    expect(spreadsAtGoogle(message, "create")).toEqual(grantSpreads);
    expect(spreadsAtGoogle(message, "delete")).toBeUndefined();
  });

  it.each(["Invalid value for field 'resource.name'", "Quota exceeded for quota metric"])(
    "does not wait: %s",
    (message) => {
      expect(spreadsAtGoogle(message, "update")).toBeUndefined();
    },
  );
});
