/** Drafts of files in the vendors' own languages are deployed as they are. */
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { isJsonMap } from "#platform/json.ts";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { describedTypes } from "#test/providers/aws/described-type.ts";
import { FakeAws, KEYS } from "#test/providers/aws/fake-aws.ts";
import { makeTenant } from "#test/support/api.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import cloudformation from "./fixtures/aws/service.yaml?raw";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Where every operation is over when it is answered. */
async function awsAccount(source: string) {
  const types = [...new Set(source.match(/\bAWS::\w+::\w+/g))];
  const cloud = new FakeAws(await describedTypes(types, env.ASSETS));
  const fetch = async (request: Request): Promise<Response> => {
    const answer = await cloud.fetch(request);
    const read: unknown = await answer.clone().json();
    const event = isJsonMap(read) ? read["ProgressEvent"] : undefined;
    if (!isJsonMap(event)) return answer;
    return Response.json(cloud.control.answer("GetResourceRequestStatus", event), answer);
  };
  return {
    provider: "aws",
    host: ".amazonaws.com",
    fetch,
    config: {},
    region: "eu-central-1",
    token: JSON.stringify(KEYS),
    cloud,
    types,
  };
}

it("a CloudFormation template of 40 resources of 28 types", async () => {
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, [{ path: "service.yaml", content: cloudformation }]);
  expect(draft).toMatchObject({ mapped: 40, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const account = await awsAccount(draft.source);
  expect(account.types).toHaveLength(28);
  answerAt(account);
  const shop = await instanceOfDraft(tenant, account, draft, {
    project: "shop",
    databasePassword: "canary-given",
  });
  const made = await shop.go("deploy");
  expect(Object.values(made)).toEqual(Array.from({ length: 40 }, () => "create"));
  expect(account.cloud.control.living()).toHaveLength(40);
  expect(await shop.go("deploy")).toEqual({});
  expect(await shop.outputs()).toMatchObject({
    Address: account.cloud.control.living("AWS::EC2::EIP")[0]?.made["PublicIp"],
    ServiceArn: account.cloud.control.living("AWS::ECS::Service")[0]?.made["ServiceArn"],
  });
  await shop.expectNothingTold();
});
