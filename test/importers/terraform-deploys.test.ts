/** Drafts of Terraform projects are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { GoogleCloud, KEY_FILE } from "#test/providers/gcp/google-cloud.ts";
import { PROJECT, REGION, ZONE } from "#test/providers/gcp/shown.ts";
import { makeTenant } from "#test/support/api.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import database from "./fixtures/digitalocean/database/main.tf?raw";
import main from "./fixtures/digitalocean/main.tf?raw";
import variables from "./fixtures/digitalocean/variables.tf?raw";
import google from "./fixtures/google/main.tf?raw";

afterEach(() => {
  vi.restoreAllMocks();
});

const CANARY = "canary-given-as-a-secret";

function digitaloceanAccount() {
  const cloud = digitaloceanCloud(digitaloceanDescription(digitaloceanDocument));
  return {
    provider: "digitalocean",
    host: "api.digitalocean.com",
    fetch: cloud.fetch,
    config: {},
    region: "nyc3",
    token: TOKEN,
    cloud,
  };
}

const files = [
  { path: "main.tf", content: main },
  { path: "variables.tf", content: variables },
  { path: "database/main.tf", content: database },
];

it("a project of eight DigitalOcean types, with a module", async () => {
  const account = digitaloceanAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, files);
  expect(draft).toMatchObject({ mapped: 10, partlyMapped: 0, notMapped: 0 });
  expect([draft.unsupported, draft.unresolved]).toEqual([[], []]);
  const shop = await instanceOfDraft(tenant, account, draft, { project: "shop" });
  expect(Object.keys(await shop.go("deploy"))).toHaveLength(10);
  expect(account.cloud.fake.living()).toHaveLength(9);
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
  await shop.expectNothingTold();
});

function googleAccount() {
  const cloud = new GoogleCloud();
  return {
    provider: "gcp",
    host: ".googleapis.com",
    fetch: cloud.fetch,
    config: { project: PROJECT, zone: ZONE },
    region: REGION,
    token: JSON.stringify(KEY_FILE),
    cloud,
  };
}

it("a project of eleven Google types", async () => {
  const account = googleAccount();
  answerAt(account);
  const tenant = await makeTenant();
  const draft = await draftOf(tenant, [{ path: "main.tf", content: google }]);
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
