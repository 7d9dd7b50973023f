import type { RestRows } from "#providers/rest/rest-types.ts";
import { controlled, marked } from "./row-parts.ts";

export function accountRows() {
  return {
    "AWS::IAM::Role": {
      ...controlled(),
      description: "A role that services or people assume.",
      nameProperty: "RoleName",
      nameRule: { maxLength: 64 },
      immutable: ["Path", "RoleName"],
      ...marked("Tags", "{RoleName}"),
    },
    "AWS::IAM::ManagedPolicy": {
      ...controlled(),
      description: "A policy that roles share.",
      nameProperty: "ManagedPolicyName",
      nameRule: { maxLength: 128 },
      immutable: ["ManagedPolicyName", "Description", "Path"],
      find: { by: "name" },
    },
    "AWS::IAM::InstanceProfile": {
      ...controlled(),
      description: "The role of an instance.",
      nameProperty: "InstanceProfileName",
      nameRule: { maxLength: 128 },
      immutable: ["InstanceProfileName", "Path"],
      find: { by: "name", at: "{InstanceProfileName}" },
    },
    "AWS::KMS::Key": {
      ...controlled(),
      description: "An encryption key. A deleted one can be kept for some days.",
      writeOnly: ["PendingWindowInDays", "BypassPolicyLockoutSafetyCheck", "RotationPeriodInDays"],
      ...marked(),
    },
    "AWS::Events::Rule": {
      ...controlled(),
      description: "A rule of EventBridge.",
      nameProperty: "Name",
      nameRule: { maxLength: 64 },
      immutable: ["Name"],
      ...marked(),
    },
    "AWS::Logs::LogGroup": {
      ...controlled(),
      description: "A group of logs.",
      nameProperty: "LogGroupName",
      immutable: ["LogGroupName"],
      ...marked("Tags", "{LogGroupName}"),
    },
    "AWS::CloudWatch::Alarm": {
      ...controlled(),
      description: "An alarm on a metric.",
      nameProperty: "AlarmName",
      immutable: ["AlarmName"],
      ...marked("Tags", "{AlarmName}"),
    },
  } as const satisfies RestRows;
}
