import { expect, it } from "vitest";
import { parse } from "yaml";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import type { JsonMap } from "#platform/json.ts";
import { builtAssets } from "#test/support/built-assets.ts";

it("leaves out the values by which Terraform's providers mean that nothing is set", async () => {
  const text = `resource "aws_autoscaling_group" "a" {
  min_size                = 0
  max_size                = 2
  desired_capacity        = 0
  default_cooldown        = 0
  default_instance_warmup = 0
}
resource "aws_security_group" "s" {
  name   = "s"
  vpc_id = "vpc-1"
  ingress {
    from_port   = 443
    to_port     = 443
    protocol    = "tcp"
    cidr_blocks = ["10.0.0.0/8"]
    self        = false
  }
}
resource "aws_dynamodb_table" "t" {
  name      = "t"
  hash_key  = "id"
  range_key = ""
  attribute {
    name = "id"
    type = "S"
  }
}
resource "aws_lb_listener" "l" {
  load_balancer_arn = "arn:lb"
  default_action {
    type  = "forward"
    order = 0
    forward {
      target_group {
        arn    = "arn:tg"
        weight = 0
      }
      stickiness {
        enabled  = false
        duration = 0
      }
    }
  }
}
resource "aws_sqs_queue" "q" {
  name                              = "q"
  delay_seconds                     = 0
  kms_data_key_reuse_period_seconds = 0
}
resource "digitalocean_record" "r" {
  domain = "example.org"
  type   = "A"
  name   = "@"
  value  = "192.0.2.1"
  ttl    = 0
}
`;
  const { drafts } = await readImport([{ path: "main.tf", text }], undefined, new ImportLog(), {
    adopt: false,
    assets: builtAssets,
  });
  const [draft] = drafts;
  const { resources } = parse(draft?.source ?? "") as { resources: { [name: string]: JsonMap } };
  const properties = Object.fromEntries(
    Object.entries(resources).map(([name, one]) => [name, one["properties"]]),
  );
  expect(draft?.unsupported).toEqual([]);
  expect(properties).toMatchObject({
    autoscalingGroupA: { MinSize: "0", MaxSize: "2" },
    securityGroupS: {
      SecurityGroupIngress: [
        { FromPort: 443, ToPort: 443, IpProtocol: "tcp", CidrIp: "10.0.0.0/8" },
      ],
    },
    lbListenerL: {
      DefaultActions: [
        {
          Type: "forward",
          ForwardConfig: {
            TargetGroups: [{ TargetGroupArn: "arn:tg", Weight: 0 }],
            TargetGroupStickinessConfig: { Enabled: false },
          },
        },
      ],
    },
    sqsQueueQ: { QueueName: "q", DelaySeconds: 0 },
  });
  for (const unset of [
    "DesiredCapacity",
    "Cooldown",
    "DefaultInstanceWarmup",
    "RANGE",
    "Order",
    "DurationSeconds",
    "KmsDataKeyReusePeriodSeconds",
    "ttl",
  ])
    expect(JSON.stringify(properties)).not.toContain(unset);
});

it("says that the service chooses the names of which Terraform has a prefix", async () => {
  const text = 'resource "aws_sqs_queue" "q" {\n  name_prefix = "jobs-"\n}\n';
  const options = { adopt: false, assets: builtAssets };
  const log = new ImportLog();
  const { drafts } = await readImport([{ path: "main.tf", text }], undefined, log, options);
  expect(drafts[0]?.unsupported).toMatchObject([
    { path: "name_prefix", line: 2, reason: expect.stringContaining("chooses a unique name") },
  ]);
});
