/** Examples at fakes of their clouds: created, changed in place, replaced, corrected after drift, and destroyed. */
import { afterEach, expect, it, vi } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { makeTenant } from "#test/support/api.ts";
import type { FakeCloud } from "#test/support/fake-cloud/fake-cloud.ts";
import coreweaveExample from "../../examples/coreweave-service.yaml?raw";
import renderExample from "../../examples/render-service.yaml?raw";
import supabaseExample from "../../examples/supabase-service.yaml?raw";
import vercelExample from "../../examples/vercel-service.yaml?raw";
import {
  coreweaveAccount,
  renderAccount,
  supabaseAccount,
  vercelAccount,
} from "./cloud-accounts.ts";
import { answerAt, type CloudAccount, exampleAt } from "./example-life.ts";

const sources = {
  coreweave: coreweaveExample,
  render: renderExample,
  supabase: supabaseExample,
  vercel: vercelExample,
};

const CANARY = "canary-given-as-a-secret";

interface Scene {
  account: CloudAccount;
  violations: readonly unknown[];
  /** The objects at the cloud. */
  living: () => readonly unknown[];
  /** A change from outside, and a look at it. */
  byHand: () => void;
  touched: () => unknown;
}

interface Example {
  start: () => Scene;
  given?: JsonMap;
  inPlace: JsonMap;
  replaces: JsonMap;
  replaced: string;
  /** The changes of a deploy after the drift. */
  mends: Record<string, string>;
  objects: number;
  resources: number;
}

/** At a cloud made from its description, where somebody gives an object another name. */
function named(
  account: CloudAccount & { cloud: { fake: FakeCloud; violations: readonly unknown[] } },
  collection: string,
  name: string,
): Scene {
  const { fake, violations } = account.cloud;
  const shown = () => fake.living(collection)[0]?.shown ?? {};
  return {
    account,
    violations,
    living: () => fake.living(),
    byHand: () => {
      shown()[name] = "by-hand";
    },
    touched: () => shown()[name],
  };
}

const examples: Record<string, Example> = {
  render: {
    start: () => named(renderAccount(), "/v1/projects", "name"),
    given: { host: "www.shop.example" },
    inPlace: { plan: "standard" },
    replaces: { region: "ohio" },
    replaced: "database",
    mends: { project: "update" },
    objects: 6,
    resources: 6,
  },
  vercel: {
    start: () => named(vercelAccount(), "/edge-config", "slug"),
    given: { domain: "www.shop.example" },
    inPlace: { forkProtection: false },
    replaces: { greeting: "Good evening" },
    replaced: "page",
    mends: { flags: "update" },
    objects: 6,
    resources: 6,
  },
  supabase: {
    start: () => {
      const account = supabaseAccount();
      const { fake, inProject, violations } = account.cloud;
      const parts = () => fake.living("/v1/projects").map((project) => inProject(project));
      return {
        account,
        violations,
        living: () => [...fake.living(), ...parts().flatMap(({ secrets }) => [...secrets.keys()])],
        byHand: () => {
          for (const part of parts())
            part.restrictions = { dbAllowedCidrs: ["0.0.0.0/0"], dbAllowedCidrsV6: [] };
        },
        touched: () => parts().map(({ restrictions }) => restrictions),
      };
    },
    given: {
      databasePassword: CANARY,
      mailPassword: CANARY,
      siteUrl: "https://shop.example",
      office: "192.0.2.0/24",
    },
    inPlace: { connections: 90 },
    replaces: { keyType: "publishable" },
    replaced: "key",
    mends: { reach: "update" },
    objects: 4,
    resources: 7,
  },
  coreweave: {
    start: () => {
      const account = coreweaveAccount();
      const { cloud } = account;
      return {
        account,
        violations: cloud.violations,
        living: () => cloud.living(),
        byHand: () => {
          for (const { body } of cloud.living("/vpcs")) body["vpcPrefixes"] = [];
        },
        touched: () => cloud.living("/vpcs").map(({ body }) => body["vpcPrefixes"]),
      };
    },
    given: { token: CANARY },
    inPlace: { replicas: 3 },
    replaces: { nodeType: "cd-gp-a96-genoa" },
    replaced: "nodes",
    mends: { network: "update" },
    objects: 7,
    resources: 7,
  },
};

afterEach(() => {
  vi.restoreAllMocks();
});

it.for(Object.entries(examples))("%s", { timeout: 60_000 }, async ([name, example]) => {
  const { given = {}, inPlace, replaces, objects } = example;
  const { account, violations, living, byHand, touched } = example.start();
  answerAt(account);
  const source = sources[name as keyof typeof sources];
  const tenant = await makeTenant();
  const service = await exampleAt(tenant, account, source, { variables: given });
  const { go, checkDrift } = service;

  expect(Object.keys(await go("deploy"))).toHaveLength(example.resources);
  expect(living()).toHaveLength(objects);
  expect(await go("deploy")).toEqual({});
  const changed = await go("deploy", { ...given, ...inPlace });
  expect(new Set(Object.values(changed))).toEqual(new Set(["update"]));

  const replaced = await go("deploy", { ...given, ...inPlace, ...replaces });
  expect(replaced).toMatchObject({ [example.replaced]: "replace" });
  expect(living()).toHaveLength(objects);

  expect(await checkDrift()).toEqual({ status: "IN_SYNC", changes: {} });
  const before = structuredClone(touched());
  byHand();
  expect(touched()).not.toEqual(before);
  expect(await checkDrift()).toMatchObject({ status: "DRIFTED" });
  expect(await go("deploy")).toEqual(example.mends);
  expect(touched()).toEqual(before);

  await go("destroy");
  expect(living()).toEqual([]);
  expect(violations).toEqual([]);
  await service.expectNothingTold();
});
