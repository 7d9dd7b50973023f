/** The places of environments in the import formats, each with a setting of this name and value. */

/** By path. */
export type PlacedFiles = Readonly<Record<string, string>>;

interface Place {
  what: string;
  files: (name: string, value: string) => PlacedFiles;
}

const tf =
  (text: (name: string, value: string) => string) =>
  (name: string, value: string): PlacedFiles => ({ "main.tf": text(name, value) });
const stack =
  (type: string, properties: (name: string, value: string) => object) =>
  (name: string, value: string): PlacedFiles => ({
    "stack.json": JSON.stringify({
      AWSTemplateFormatVersion: "2010-09-09",
      Resources: { A: { Type: type, Properties: properties(name, value) } },
    }),
  });
const arm =
  (resource: (name: string, value: string) => object) =>
  (name: string, value: string): PlacedFiles => ({
    "azuredeploy.json": JSON.stringify({
      $schema: "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
      contentVersion: "1.0.0.0",
      resources: [{ apiVersion: "2023-12-01", location: "westeurope", ...resource(name, value) }],
    }),
  });
const container = (name: string, value: string) => ({
  name: "a",
  image: "a",
  environment: [{ name, value }],
});

export const environmentPlaces: readonly Place[] = [
  {
    what: "Terraform: a map in a block",
    files: tf(
      (name, value) =>
        `resource "aws_lambda_function" "f" {\n  function_name = "f"\n  role = "arn:aws:iam::1:role/x"\n  environment {\n    variables = { ${name} = "${value}" }\n  }\n}\n`,
    ),
  },
  {
    what: "Terraform: pairs in blocks",
    files: tf(
      (name, value) =>
        `resource "digitalocean_app" "a" {\n  spec {\n    name = "a"\n    env {\n      key = "${name}"\n      value = "${value}"\n    }\n    env {\n      key = "OTHER"\n      value = "${value}"\n    }\n  }\n}\n`,
    ),
  },
  {
    what: "Terraform: blocks that a loop makes",
    files: tf(
      (name, value) =>
        `resource "google_cloud_run_v2_service" "a" {\n  name = "a"\n  template {\n    containers {\n      image = "a"\n      dynamic "env" {\n        for_each = { ${name} = "${value}" }\n        content {\n          name = env.key\n          value = env.value\n        }\n      }\n    }\n  }\n}\n`,
    ),
  },
  {
    what: "Terraform: application settings",
    files: tf(
      (name, value) =>
        `resource "azurerm_linux_web_app" "a" {\n  name = "a"\n  app_settings = { "${name}" = "${value}" }\n}\n`,
    ),
  },
  {
    what: "Terraform: containers in JSON",
    files: tf(
      (name, value) =>
        `resource "aws_ecs_task_definition" "a" {\n  family = "a"\n  container_definitions = jsonencode([{ name = "a", environment = [{ name = "${name}", value = "${value}" }] }])\n}\n`,
    ),
  },
  {
    what: "Terraform: containers in a text of JSON",
    files: tf(
      (name, value) =>
        `resource "aws_ecs_task_definition" "a" {\n  family = "a"\n  container_definitions = <<EOT\n${JSON.stringify([container(name, value)])}\nEOT\n}\n`,
    ),
  },
  {
    what: "Terraform: a script",
    files: tf(
      (name, value) =>
        `resource "aws_instance" "a" {\n  ami = "ami-1"\n  user_data = <<-EOT\n    #!/bin/sh\n    export ${name.toUpperCase()}="${value}"\n  EOT\n}\n`,
    ),
  },
  {
    what: "Terraform: an argument of a module from elsewhere",
    files: tf(
      (name, value) =>
        `module "f" {\n  source = "terraform-aws-modules/lambda/aws"\n  environment_variables = { ${name} = "${value}" }\n}\noutput "o" {\n  value = module.f\n}\n`,
    ),
  },
  {
    what: "Terraform: an argument of a module of the import",
    files: (name, value) => ({
      "main.tf": `module "f" {\n  source = "./inner"\n  vars = { ${name} = "${value}" }\n}\n`,
      "inner/main.tf":
        'variable "vars" {}\nresource "aws_lambda_function" "f" {\n  function_name = "f"\n  role = "arn:aws:iam::1:role/x"\n  environment {\n    variables = var.vars\n  }\n}\n',
    }),
  },
  {
    what: "Terraform: an option of an environment",
    files: tf(
      (name, value) =>
        `resource "aws_elastic_beanstalk_environment" "a" {\n  name = "a"\n  setting {\n    namespace = "aws:elasticbeanstalk:application:environment"\n    name = "${name}"\n    value = "${value}"\n  }\n}\n`,
    ),
  },
  {
    what: "Terraform: a variable of a project",
    files: tf(
      (name, value) =>
        `resource "vercel_project_environment_variable" "a" {\n  project_id = "p"\n  key = "${name}"\n  value = "${value}"\n  target = ["production"]\n}\n`,
    ),
  },
  {
    what: "Terraform's JSON",
    files: (name, value) => ({
      "main.tf.json": JSON.stringify({
        resource: {
          aws_lambda_function: {
            f: { function_name: "f", environment: { variables: { [name]: value } } },
          },
        },
      }),
    }),
  },
  {
    what: "Terraform: a default of a variable",
    files: tf(
      (name, value) =>
        `variable "environment_variables" {\n  default = { ${name} = "${value}" }\n}\n`,
    ),
  },
  {
    what: "CloudFormation: a map",
    files: stack("AWS::Lambda::Function", (name, value) => ({
      Code: { S3Bucket: "b", S3Key: "k" },
      Role: "arn:aws:iam::1:role/x",
      Environment: { Variables: { [name]: value } },
    })),
  },
  {
    what: "CloudFormation: pairs",
    files: stack("AWS::ECS::TaskDefinition", (name, value) => ({
      ContainerDefinitions: [
        { Name: "a", Image: "a", Environment: [{ Name: name, Value: value }] },
      ],
    })),
  },
  {
    what: "CloudFormation: pairs of a build",
    files: stack("AWS::CodeBuild::Project", (name, value) => ({
      Environment: {
        ComputeType: "BUILD_GENERAL1_SMALL",
        Image: "a",
        Type: "LINUX_CONTAINER",
        EnvironmentVariables: [{ Name: name, Value: value, Type: "PLAINTEXT" }],
      },
    })),
  },
  {
    what: "CloudFormation: a joined text",
    files: stack("AWS::Lambda::Function", (name, value) => ({
      Role: "arn:aws:iam::1:role/x",
      Environment: { Variables: { [name]: { "Fn::Sub": `${value}-\${AWS::Region}` } } },
    })),
  },
  {
    what: "CloudFormation: a condition",
    files: stack("AWS::Lambda::Function", (name, value) => ({
      Role: "arn:aws:iam::1:role/x",
      Environment: { Variables: { [name]: { "Fn::If": ["C", value, { Ref: "AWS::NoValue" }] } } },
    })),
  },
  {
    what: "ARM: application settings",
    files: arm((name, value) => ({
      type: "Microsoft.Web/sites",
      name: "w",
      properties: { siteConfig: { appSettings: [{ name, value }] } },
    })),
  },
  {
    what: "ARM: connection strings",
    files: arm((name, connectionString) => ({
      type: "Microsoft.Web/sites",
      name: "w",
      properties: {
        siteConfig: { connectionStrings: [{ name, connectionString, type: "SQLAzure" }] },
      },
    })),
  },
  {
    what: "ARM: settings as a resource",
    files: arm((name, value) => ({
      type: "Microsoft.Web/sites/config",
      name: "w/appsettings",
      properties: { [name]: value },
    })),
  },
  {
    what: "ARM: a container",
    files: arm((name, value) => ({
      type: "Microsoft.App/containerApps",
      name: "c",
      properties: { template: { containers: [{ name: "a", image: "a", env: [{ name, value }] }] } },
    })),
  },
  {
    what: "Pulumi: a map",
    files: (name, value) => ({
      "Pulumi.yaml": `name: shop\nruntime: yaml\nresources:\n  f:\n    type: aws-native:lambda:Function\n    properties:\n      role: arn:aws:iam::1:role/x\n      code: { s3Bucket: b, s3Key: k }\n      environment:\n        variables: { ${name}: "${value}" }\n`,
    }),
  },
  {
    what: "Kubernetes: a container",
    files: (name, value) => ({
      "a.yaml": `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: a }\nspec:\n  selector: { matchLabels: { a: a } }\n  template:\n    metadata: { labels: { a: a } }\n    spec:\n      containers:\n        - name: a\n          image: a\n          env: [{ name: ${name}, value: "${value}" }]\n`,
    }),
  },
  {
    what: "Kubernetes: a map of settings",
    files: (name, value) => ({
      "a.yaml": `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\ndata: { ${name}: "${value}" }\n`,
    }),
  },
  {
    what: "Compose: a map",
    files: (name, value) => ({
      "compose.yaml": `services:\n  a:\n    image: a\n    environment: { ${name}: "${value}" }\n`,
    }),
  },
  {
    what: "Compose: a list",
    files: (name, value) => ({
      "compose.yaml": `services:\n  a:\n    image: a\n    environment: ["${name}=${value}"]\n`,
    }),
  },
  {
    what: "Compose: a default",
    files: (name, value) => ({
      "compose.yaml": `services:\n  a:\n    image: a\n    environment: { ${name}: "\${GIVEN:-${value}}" }\n`,
    }),
  },
];
