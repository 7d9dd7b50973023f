/** Drafts of Terraform projects are deployed as they are. */
import { afterEach, expect, it, vi } from "vitest";
import { answerAt } from "#test/orchestrator/example-life.ts";
import { digitaloceanDocument } from "#test/providers/digitalocean/description.ts";
import {
  digitaloceanCloud,
  digitaloceanDescription,
  TOKEN,
} from "#test/providers/digitalocean/digitalocean-cloud.ts";
import { makeTenant } from "#test/support/api.ts";
import { draftOf, instanceOfDraft } from "./deployed-draft.ts";
import database from "./fixtures/digitalocean/database/main.tf?raw";
import main from "./fixtures/digitalocean/main.tf?raw";
import variables from "./fixtures/digitalocean/variables.tf?raw";

afterEach(() => {
  vi.restoreAllMocks();
});

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
  const made = await shop.go("deploy");
  expect(Object.values(made)).toEqual(Array.from({ length: 10 }, () => "create"));
  expect(await shop.go("deploy")).toEqual({});
  expect(account.cloud.violations).toEqual([]);
});
