/** Drafts of files in the vendors' own languages are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { makeTenant } from "#test/support/api.ts";
import { awsAccount } from "./accounts.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import cloudformation from "./fixtures/aws/service.yaml?raw";

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
