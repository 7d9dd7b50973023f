/** Drafts of files in the vendors' own languages are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { TENANT_ID } from "#test/providers/azure/arm-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { awsAccount, azureAccount } from "./accounts.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import cloudformation from "./fixtures/aws/service.yaml?raw";
import arm from "./fixtures/azure/service.json?raw";

const CANARY = "canary-given-as-a-secret";

afterEach(() => {
  vi.restoreAllMocks();
});

it("a CloudFormation template of 40 resources of 28 types", async () => {
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, [{ path: "service.yaml", content: cloudformation }]);
  expect(draft).toMatchObject({ mapped: 40, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const account = await awsAccount(draft);
  expect(account.types).toHaveLength(28);
  answerAt(account);
  const shop = await instanceOfDraft(tenant, account, draft, {
    project: "shop",
    databasePassword: CANARY,
  });
  const { control } = account.cloud;
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(40);
  expect(control.living()).toHaveLength(40);
  expect(await shop.go("deploy")).toEqual({});
  expect(await shop.outputs()).toMatchObject({
    Address: control.living("AWS::EC2::EIP")[0]?.made["PublicIp"],
    ServiceArn: control.living("AWS::ECS::Service")[0]?.made["ServiceArn"],
  });
  await shop.expectNothingTold();
});

it("an ARM template of 24 resources, three of them by a loop", async () => {
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, [{ path: "service.json", content: arm }]);
  expect(draft).toMatchObject({ mapped: 24, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const account = azureAccount();
  answerAt(...account.hosts.map((host) => ({ host, fetch: account.fetch })));
  const shop = await instanceOfDraft(tenant, account, draft, {
    project: "shop",
    databasePassword: CANARY,
    tenantId: TENANT_ID,
  });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(24);
  expect(account.cloud.living()).toHaveLength(24);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});
