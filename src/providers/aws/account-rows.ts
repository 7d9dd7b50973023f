import { type AwsRows, controlled, marked, markedByMap, namedAlone } from "./row-parts.ts";

export function accountRows(): AwsRows {
  return controlled({
    "AWS::IAM::Role": {
      description: "A role that services or people assume.",
      refers: { Policies: "any", "ManagedPolicyArns[*]": "any", PermissionsBoundary: "any" },
      name: { property: "RoleName", unique: true, rule: { maxLength: 64 } },
      immutable: ["Path", "RoleName"],
      ...marked("Tags", "{RoleName}"),
    },
    "AWS::IAM::ManagedPolicy": {
      description: "A policy that roles share.",
      refers: {
        PolicyDocument: "any",
        "Users[*]": "any",
        "Groups[*]": "any",
        "Roles[*]": "AWS::IAM::Role",
      },
      name: { property: "ManagedPolicyName", unique: true, rule: { maxLength: 128 } },
      immutable: ["ManagedPolicyName", "Description", "Path"],
      ...namedAlone(),
    },
    "AWS::IAM::InstanceProfile": {
      description: "The role of an instance.",
      refers: { "Roles[*]": "AWS::IAM::Role" },
      name: { property: "InstanceProfileName", unique: true, rule: { maxLength: 128 } },
      immutable: ["InstanceProfileName", "Path"],
      ...namedAlone("{InstanceProfileName}"),
    },
    "AWS::Cognito::UserPool": {
      description: "A directory of users, who sign in with it.",
      region: {
        property: "SmsConfiguration.SnsRegion",
        more: ["SmsConfiguration.EumsSms.Region"],
        elsewhere: true,
      },
      refers: {
        LambdaConfig: "any",
        "EmailConfiguration.SourceArn": "any",
        "EmailConfiguration.ConfigurationSet": "AWS::SES::ConfigurationSet",
        "SmsConfiguration.SnsCallerArn": "any",
        "SmsConfiguration.EumsSms": "any",
        "KeyConfiguration.KmsKeyArn": "any",
      },
      name: { property: "UserPoolName", rule: { maxLength: 128 } },
      writeOnly: ["EnabledMfas"],
      ...markedByMap("UserPoolTags"),
    },
    "AWS::Cognito::UserPoolClient": {
      description: "An application that signs the users of a pool in. Its secret is an output.",
      refers: { UserPoolId: "AWS::Cognito::UserPool", AnalyticsConfiguration: "any" },
      location: ["UserPoolId"],
      name: { property: "ClientName", rule: { maxLength: 128 } },
      immutable: ["UserPoolId", "GenerateSecret"],
      secretOutputs: ["ClientSecret"],
      ...namedAlone(),
    },
    "AWS::StepFunctions::StateMachine": {
      description: "A workflow of steps.",
      refers: {
        RoleArn: "any",
        "DefinitionS3Location.Bucket": "AWS::S3::Bucket",
        "LoggingConfiguration.Destinations[*].CloudWatchLogsLogGroup.LogGroupArn": "any",
        "EncryptionConfiguration.KmsKeyId": "AWS::KMS::Key",
      },
      name: { property: "StateMachineName", unique: true, rule: { maxLength: 80 } },
      immutable: ["StateMachineName", "StateMachineType"],
      writeOnly: ["Definition", "DefinitionS3Location", "DefinitionSubstitutions"],
      ...marked(),
    },
    "AWS::KMS::Key": {
      description: "An encryption key. A deleted one can be kept for some days.",
      facts: {
        leaves: {
          says: "AWS keeps the key, unusable and free of charge, for `PendingWindowInDays` (30 where it is not set, 7 at least), and then destroys it.",
        },
      },
      writeOnly: ["PendingWindowInDays", "BypassPolicyLockoutSafetyCheck", "RotationPeriodInDays"],
      ...marked(),
    },
    "AWS::Events::Rule": {
      description: "A rule of EventBridge.",
      refers: {
        EventBusName: "AWS::Events::EventBus",
        RoleArn: "any",
        "Targets[*].Arn": "any",
        "Targets[*].RoleArn": "any",
        "Targets[*].DeadLetterConfig.Arn": "any",
        "Targets[*].EcsParameters.TaskDefinitionArn": "AWS::ECS::TaskDefinition",
        "Targets[*].RedshiftDataParameters.SecretManagerArn": "AWS::SecretsManager::Secret",
      },
      name: { property: "Name", unique: true, rule: { maxLength: 64 } },
      immutable: ["Name"],
      ...marked(),
    },
    "AWS::Logs::LogGroup": {
      description: "A group of logs.",
      refers: { KmsKeyId: "any" },
      name: { property: "LogGroupName", unique: true },
      immutable: ["LogGroupName"],
      ...marked("Tags", "{LogGroupName}"),
    },
    "AWS::CloudWatch::Alarm": {
      description: "An alarm on a metric.",
      refers: {
        "AlarmActions[*]": "any",
        "OKActions[*]": "any",
        "InsufficientDataActions[*]": "any",
      },
      name: { property: "AlarmName", unique: true },
      immutable: ["AlarmName"],
      ...marked("Tags", "{AlarmName}"),
    },
  });
}
