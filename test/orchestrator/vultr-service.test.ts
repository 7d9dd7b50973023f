/** The example for Vultr in whole deployments, and the secrecy of its passwords. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import source from "../../examples/vultr-service.yaml?raw";
import { vultrAccount } from "./cloud-accounts.ts";
import { answerAt, exampleAt } from "./example-life.ts";

const INSTANCES = "/v2/instances";

afterEach(() => {
  vi.restoreAllMocks();
});

it("is deployed, changed, put right and destroyed at Vultr, and tells no password", async () => {
  let aheadMs = 0;
  const account = vultrAccount({ now: () => Date.now() + aheadMs });
  const { cloud } = account;
  const living = (path: string): JsonMap[] => cloud.fake.living(path).map(({ shown }) => shown);
  answerAt(account);
  const service = await exampleAt(await makeTenant(), account, source, {
    variables: { domain: "shop.example", publicKey: "ssh-ed25519 AAAA operator" },
  });
  const { go, outputs, checkDrift } = service;

  await go("deploy");
  expect(cloud.fake.living()).toHaveLength(12);
  const [web] = living(INSTANCES);
  const [block] = living("/v2/blocks");
  expect(block?.["attached_to_instance"]).toBe(web?.["id"]);
  expect(await outputs()).toMatchObject({ firstPassword: "[secret]", databaseUri: "[secret]" });

  // Vultr shows the first password no longer.
  aheadMs = 60 * 60_000;
  expect(living(INSTANCES)[0]).not.toHaveProperty("default_password");
  expect(await go("deploy", { plan: "vc2-2c-4gb" })).toMatchObject({ web: "update" });
  expect(living(INSTANCES)).toMatchObject([{ id: web?.["id"], plan: "vc2-2c-4gb" }]);
  expect(await outputs()).toMatchObject({ firstPassword: "[secret]" });

  const [vpc] = cloud.fake.living("/v2/vpcs");
  if (vpc !== undefined) vpc.shown["description"] = "by hand";
  expect(await checkDrift()).toMatchObject({ status: "DRIFTED", changes: { network: "update" } });
  await go("deploy");
  expect(living("/v2/vpcs")).toMatchObject([{ description: "shop" }]);

  const replaced = await go("deploy", { plan: "vc2-2c-4gb", operatingSystem: 2284 });
  expect(replaced).toMatchObject({ web: "replace", uploads: "update" });
  const [other] = living(INSTANCES);
  expect(living(INSTANCES)).toHaveLength(1);
  expect(living("/v2/blocks")).toMatchObject([
    { id: block?.["id"], attached_to_instance: other?.["id"] },
  ]);

  await go("destroy");
  expect(cloud.fake.living().map(({ collection }) => collection)).toEqual([]);
  expect(cloud.violations).toEqual([]);
  await service.expectNothingTold();
});
