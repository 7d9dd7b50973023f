/** Drafts of projects with their state adopt what is there: the first deployment imports all of it and changes nothing. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { answerAt, type CloudAccount } from "#test/orchestrator/example-life.ts";
import { makeTenant, type TestTenant } from "#test/support/api.ts";
import { awsAccount, digitaloceanAccount } from "./accounts.ts";
import { draftOf, instanceOfDraft, type ReadDraft, type SourceFile } from "./deployed-draft.ts";
import { awsProject, digitaloceanProject } from "./projects.ts";
import { type Addresses, stateOf } from "./terraform-state.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

const atDigitalOcean: Addresses = {
  "digitalocean_vpc.main": "vpc",
  "digitalocean_droplet.web": "dropletWeb",
  "digitalocean_droplet.worker": "dropletWorker",
  "digitalocean_loadbalancer.public": "loadbalancerPublic",
  "digitalocean_firewall.web": "firewallWeb",
  "digitalocean_domain.shop": "domainShop",
  "digitalocean_record.www": "recordWww",
  "digitalocean_record.mail": "recordMail",
  "module.database.digitalocean_database_cluster.this": "databaseCluster",
  "module.database.digitalocean_database_firewall.this": [
    "databaseFirewall",
    (id) => ({ id: "firewall-1", cluster_id: id }),
  ],
};

const atAws: Addresses = {
  "aws_vpc.main": "vpc",
  "aws_subnet.a": "subnetA",
  "aws_subnet.b": "subnetB",
  "aws_internet_gateway.main": "internetGateway",
  "aws_route_table.public": "routeTablePublic",
  "aws_route.internet": [
    "routeInternet",
    (id) => {
      const [table = "", block = ""] = id.split("|");
      return { id: "r-1", route_table_id: table, destination_cidr_block: block };
    },
  ],
  "aws_route_table_association.a": "routeTableAssociationA",
  "aws_security_group.database": "securityGroupDatabase",
  "aws_db_subnet_group.main": "dbSubnetGroup",
  "aws_db_instance.main": ["dbInstance", (id) => ({ id: "db-XYZ", identifier: id })],
  "aws_s3_bucket.files": "s3BucketFiles",
  "aws_s3_bucket_versioning.files": "s3BucketFiles",
  "aws_s3_bucket_public_access_block.files": "s3BucketFiles",
  "aws_sqs_queue.orders": "sqsQueueOrders",
  "aws_dynamodb_table.carts": "dynamodbTableCarts",
  "aws_cloudwatch_log_group.web": "cloudwatchLogGroupWeb",
  "aws_iam_role.task": "iamRoleTask",
  "aws_ecs_cluster.main": [
    "ecsCluster",
    (id) => ({ id: `arn:aws:ecs:eu-central-1:123456789012:cluster/${id}` }),
  ],
  "aws_ecs_task_definition.web": ["ecsTaskDefinitionWeb", (id) => ({ id: "web", arn: id })],
  "aws_ecs_service.web": [
    "ecsServiceWeb",
    (id) => {
      const [arn = "", cluster = ""] = id.split("|");
      return { id: arn, cluster };
    },
  ],
};

interface Scene {
  files: readonly SourceFile[];
  account: (draft: ReadDraft) => Promise<CloudAccount & { changes: () => number }>;
  addresses: Addresses;
  variables: JsonMap;
  /** Objects that the state does not tell ours of. */
  leftOut: readonly string[];
  imports: number;
}

const scenes: Record<string, Scene> = {
  DigitalOcean: {
    files: digitaloceanProject,
    account: async () => {
      const account = digitaloceanAccount();
      return { ...account, changes: () => account.cloud.fake.ledger.length };
    },
    addresses: atDigitalOcean,
    variables: { project: "shop" },
    leftOut: [],
    imports: 10,
  },
  AWS: {
    files: awsProject,
    account: async (draft) => {
      const account = await awsAccount(draft);
      return { ...account, changes: () => account.cloud.control.ledger.length };
    },
    addresses: atAws,
    variables: { databasePassword: "canary-given-as-a-secret" },
    leftOut: ["aws_internet_gateway.main"],
    imports: 18,
  },
};

it.for(Object.entries(scenes))("a project at %s", async ([, scene]) => {
  const { files, addresses, variables } = scene;
  const maker = await makeTenant();
  const made = await draftOf(maker, files);
  expect(made.unresolved).toEqual([]);
  const account = await scene.account(made);
  answerAt(account);
  const first = await instanceOfDraft(maker, account, made, variables);
  await first.go("deploy");
  const report = await stateOf(maker, first.instanceId, addresses);
  const before = account.changes();

  const tenant = await makeTenant();
  const draft = await draftOf(tenant, files, { query: "?adopt=true", report });
  expect(draft.unsupported.map(({ address, code }) => [address, code])).toEqual(
    scene.leftOut.map((address) => [address, "not_adopted"]),
  );
  expect(draft.unresolved).toEqual([]);
  const second = await instanceOfDraft(tenant, account, draft, variables);
  expect(Object.keys(await second.go("deploy"))).toHaveLength(scene.imports);
  const reasons = await reasonsOf(tenant, second.instanceId);
  expect(reasons.filter((reason) => !reason.startsWith("import "))).toEqual([]);
  expect(account.changes()).toBe(before);
  expect(await second.go("deploy")).toEqual({});
  expect(account.changes()).toBe(before);
  await second.expectNothingTold();
});

/** Why the last deployment changed what it did. */
async function reasonsOf(tenant: TestTenant, instanceId: string): Promise<string[]> {
  const { body } = await tenant.get(`/deployments?instanceId=${instanceId}`);
  const plan = await tenant.get(`/deployments/${body.data[0].id}/plan`);
  return plan.body.changes.map(({ reason }: { reason: string | null }) => reason ?? "");
}
