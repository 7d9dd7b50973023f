/** Drafts of Terraform projects are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { CREDENTIAL } from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { azureAccount, digitaloceanAccount, googleAccount, vercelAccount } from "./accounts.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import {
  azureProject,
  bucketProject,
  digitaloceanProject,
  googleProject,
  privateProject,
  scaleSetProject,
  vercelProject,
} from "./projects.ts";

const CANARY = "canary-given-as-a-secret";

afterEach(() => {
  vi.restoreAllMocks();
});

it("a project of eight DigitalOcean types, with a module", async () => {
  const account = digitaloceanAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, digitaloceanProject);
  expect(draft).toMatchObject({ mapped: 10, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft, { project: "shop" });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(10);
  expect(account.cloud.fake.living()).toHaveLength(9);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});

it("a bucket of Spaces, with settings that are resources in Terraform", async () => {
  const account = { ...digitaloceanAccount(), token: JSON.stringify(CREDENTIAL) };
  answerAt(account, { host: ".digitaloceanspaces.com", fetch: account.fetch });
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, bucketProject);
  expect(draft).toMatchObject({ mapped: 3, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft);
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(1);
  const { buckets } = account.cloud;
  expect(buckets.living()).toEqual(["fra1/shop-files"]);
  expect(buckets.ledger.map(({ by }) => by)).toEqual([
    "PUT /shop-files",
    "PUT /shop-files?versioning",
    "PUT /shop-files?cors",
    "PUT /shop-files?lifecycle",
    "PUT /shop-files?policy",
  ]);
  expect(await shop.go("deploy")).toEqual({});
  await shop.expectNothingTold();
  await shop.go("destroy");
  expect(buckets.living()).toEqual([]);
});

it("a project of eleven Google types", async () => {
  const account = googleAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, googleProject);
  expect(draft).toMatchObject({ mapped: 11, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft, {
    name: "shop",
    databasePassword: CANARY,
  });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(11);
  expect(account.cloud.living()).toHaveLength(10);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});

it("a project of seventeen types of azurerm", async () => {
  const account = azureAccount();
  answerAt(...account.hosts.map((host) => ({ host, fetch: account.fetch })));
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, azureProject);
  expect(draft).toMatchObject({ mapped: 17, partlyMapped: 0, notMapped: 0 });
  expect(draft.unsupported).toEqual([]);
  // Of its environment.
  expect(draft.unresolved.map(({ config }) => config)).toEqual(["mode"]);
  const shop = await instanceOfDraft(tenant, account, draft, {
    name: "shop",
    databasePassword: CANARY,
    mode: CANARY,
  });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(17);
  expect(account.cloud.living()).toHaveLength(17);
  expect(await shop.go("deploy")).toEqual({});
  await shop.expectNothingTold();
});

it("scale sets of both systems of azurerm", async () => {
  const account = azureAccount();
  answerAt(...account.hosts.map((host) => ({ host, fetch: account.fetch })));
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, scaleSetProject);
  expect(draft).toMatchObject({ mapped: 5, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft, { password: CANARY });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(5);
  expect(account.cloud.living()).toHaveLength(5);
  expect(await shop.go("deploy")).toEqual({});
  await shop.expectNothingTold();
});

it("addresses and a private connection of Google", async () => {
  const account = googleAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, privateProject);
  expect(draft).toMatchObject({ mapped: 5, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft);
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(5);
  expect(account.cloud.living("servicenetworking/Connection")).toHaveLength(1);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.go("destroy");
  expect(account.cloud.living()).toEqual([]);
});

it("a project of Vercel with a firewall, a shared variable and a drain", async () => {
  const account = vercelAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, vercelProject);
  expect(draft).toMatchObject({ mapped: 4, partlyMapped: 0, notMapped: 0 });
  expect(draft.unsupported).toEqual([]);
  // What is called an environment may have secrets.
  expect(draft.unresolved.map(({ config }) => config)).toEqual(["logsEnvironments"]);
  const shop = await instanceOfDraft(tenant, account, draft, {
    key: CANARY,
    logsEnvironments: "production",
  });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(4);
  expect(account.cloud.fake.living()).toHaveLength(3);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});
