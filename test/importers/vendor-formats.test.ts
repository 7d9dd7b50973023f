/** Drafts of what speaks the vendors' own languages are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { answerAt, type CloudAccount } from "#test/orchestrator/example-life.ts";
import { TENANT_ID } from "#test/providers/azure/arm-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { awsAccount, azureAccount } from "./accounts.ts";
import { draftOf, instanceOfDraft, type ReadDraft } from "./deployed-draft.ts";
import awscc from "./fixtures/aws/awscc.tf?raw";
import awsPulumi from "./fixtures/aws/pulumi.yaml?raw";
import cloudformation from "./fixtures/aws/service.yaml?raw";
import azapi from "./fixtures/azure/azapi.tf?raw";
import azurePulumi from "./fixtures/azure/pulumi.yaml?raw";
import arm from "./fixtures/azure/service.json?raw";

const CANARY = "canary-given-as-a-secret";

afterEach(() => {
  vi.restoreAllMocks();
});

type Account = CloudAccount & { hosts?: readonly string[]; living: () => readonly unknown[] };

async function atAws(draft: ReadDraft): Promise<Account> {
  const account = await awsAccount(draft);
  const { control } = account.cloud;
  return {
    ...account,
    living: () => control.living(),
  };
}

async function atAzure(): Promise<Account> {
  const account = azureAccount();
  return { ...account, living: () => account.cloud.living() };
}

interface Scene {
  file: { path: string; content: string };
  account: (draft: ReadDraft) => Promise<Account>;
  variables: JsonMap;
  /** What its environments write out. */
  asked?: readonly string[];
  /** What no option of a draft says. */
  lost?: readonly string[];
  resources: number;
  types: number;
}

const scenes: Record<string, Scene> = {
  "a CloudFormation template": {
    file: { path: "service.yaml", content: cloudformation },
    account: atAws,
    variables: { project: "shop", databasePassword: CANARY, homeOf: CANARY },
    asked: ["homeOf"],
    resources: 40,
    types: 28,
  },
  "a project of awscc": {
    file: { path: "main.tf", content: awscc },
    account: atAws,
    variables: { name: "shop" },
    resources: 8,
    types: 8,
  },
  "a Pulumi program of aws-native": {
    file: { path: "Pulumi.yaml", content: awsPulumi },
    account: atAws,
    variables: { prefix: "shop", databasePassword: CANARY },
    resources: 6,
    types: 5,
  },
  "an ARM template with a loop": {
    file: { path: "service.json", content: arm },
    account: atAzure,
    variables: {
      project: "shop",
      databasePassword: CANARY,
      tenantId: TENANT_ID,
      databaseHost: "shop-svc-db.postgres.database.azure.com",
    },
    // A value of an environment is kept only if it surely is no secret.
    asked: ["databaseHost"],
    resources: 24,
    types: 22,
    // Each of three subnets is made after the one before it.
    lost: ["copy.mode", "copy.mode", "copy.mode"],
  },
  "a project of azapi": {
    file: { path: "main.tf", content: azapi },
    account: atAzure,
    variables: { name: "shop", databasePassword: CANARY },
    resources: 8,
    types: 8,
  },
  "a Pulumi program of azure-native": {
    file: { path: "Pulumi.yaml", content: azurePulumi },
    account: atAzure,
    variables: { prefix: "shop" },
    resources: 5,
    types: 5,
  },
};

it.for(Object.entries(scenes))(
  "%s",
  async ([, { file, resources, types, variables, asked = [], lost = [], ...scene }]) => {
    const tenant = await makeTenant();
    const draft = await draftOf(tenant, [file]);
    expect(draft).toMatchObject({
      mapped: resources - lost.length,
      partlyMapped: lost.length,
      notMapped: 0,
    });
    expect(draft.unsupported.map(({ path }) => path)).toEqual(lost);
    expect(draft.unresolved.map(({ config }) => config)).toEqual(asked);
    expect(new Set(draft.source.match(/(?<=^    type: )(?:aws|azure):\S+/gm)).size).toBe(types);
    const account = await scene.account(draft);
    const { host, hosts = [host], fetch } = account;
    answerAt(...hosts.map((one) => ({ host: one, fetch })));
    const shop = await instanceOfDraft(tenant, account, draft, variables);
    expect(Object.keys(await shop.go("deploy"))).toHaveLength(resources);
    expect(account.living()).toHaveLength(resources);
    expect(await shop.go("deploy")).toEqual({});
    await shop.expectNothingTold();
  },
);

it("what Ref gives of an address and of a service is what their outputs say", async () => {
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, [{ path: "service.yaml", content: cloudformation }]);
  const account = await awsAccount(draft);
  answerAt(account);
  const shop = await instanceOfDraft(tenant, account, draft, {
    project: "shop",
    databasePassword: CANARY,
    homeOf: CANARY,
  });
  await shop.go("deploy");
  const { control } = account.cloud;
  expect(await shop.outputs()).toMatchObject({
    Address: control.living("AWS::EC2::EIP")[0]?.made["PublicIp"],
    ServiceArn: control.living("AWS::ECS::Service")[0]?.made["ServiceArn"],
  });
});
