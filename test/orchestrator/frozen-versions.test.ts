/**
 * Types with a version of the vendor's API. A stored template version keeps the API version that the catalogue had
 * (decision 0068). The mock cloud's types stand in for them: the catalogue knows one version of each.
 */
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { mockTypes } from "#providers/mock/types.ts";
import type { Provider, TypeFacts } from "#providers/provider.ts";
import { providerFor } from "#providers/registry.ts";
import { parseTypeName, withoutVersion } from "#providers/type-name.ts";
import { makeUnlimitedTenant, type TestTenant } from "#test/support/api.ts";
import { instanceOf, ledger, makeTarget, untilOver } from "#test/support/cloud.ts";
import { runnerOf, start } from "#test/support/runner.ts";

const [OLD, NEW] = ["2024-01-01", "2025-01-01"];
/** The catalogue's version. */
let known = OLD;
let tenant: TestTenant;
/** The verb and the type of every call that the provider got. */
const calls: string[] = [];

beforeAll(async () => {
  tenant = await makeUnlimitedTenant();
  const facts = mockTypes.facts.bind(mockTypes);
  const rowOf = mockTypes.rowOf.bind(mockTypes);
  // It knows only one version of a type.
  vi.spyOn(mockTypes, "facts").mockImplementation((type): TypeFacts | undefined => {
    const { version = known } = parseTypeName(type) ?? {};
    const plain = facts(withoutVersion(type));
    return version === known && plain !== undefined ? { ...plain, version } : undefined;
  });
  vi.spyOn(mockTypes, "rowOf").mockImplementation((type) => rowOf(withoutVersion(type)));
  const mock = providerFor("mock") as Provider;
  vi.spyOn(mock, "openTypes", "get").mockReturnValue(true);
  for (const verb of ["create", "read", "update", "delete"] as const) {
    const act = mock[verb] as (context: unknown, call: { type: string }) => Promise<never>;
    vi.spyOn(mock, verb).mockImplementation(async (context: unknown, call: { type: string }) => {
      calls.push(`${verb} ${call.type}`);
      return act(context, call);
    });
  }
});
afterAll(() => vi.restoreAllMocks());
beforeEach(() => {
  known = OLD;
  calls.length = 0;
});

const source = (cidr = "a", options = "") =>
  `resources: { net: { type: mock:Network, properties: { name: net, cidr: ${cidr}, tags: [a] }${options} } }\n`;

async function made(targetId: string, text = source()) {
  const one = await instanceOf(tenant, text, targetId);
  const { templateId, instanceId } = one;
  return {
    ...one,
    typeOf: async (version: number) =>
      (await tenant.get(`/templates/${templateId}/versions/${version}`)).body.resources[0].type,
    typeInState: async () => (await runnerOf(instanceId).listResources())[0]?.type,
    checkDrift: async () => untilOver(tenant, await start(tenant, instanceId, "check-drift")),
  };
}

it("a stored version keeps the version of the API: plan, drift check, destroy and state use it", async () => {
  const targetId = await makeTarget(tenant);
  const one = await made(targetId);
  expect(await one.typeOf(1)).toBe(`mock:Network@${OLD}`);
  // The catalogue moves on before the first deployment: the stored version does not.
  known = NEW;
  expect(await one.typeOf(1)).toBe(`mock:Network@${OLD}`);
  const first = await one.deploy();
  expect(first.body, first.text).toMatchObject({ state: "SUCCEEDED", summary: { create: 1 } });
  const plan = await tenant.get(`/deployments/${first.body.id}/plan`);
  expect(plan.body.changes[0].type).toBe(`mock:Network@${OLD}`);
  const { body } = await tenant.get(`/instances/${one.instanceId}/resources`);
  expect(body.data[0].type).toBe(`mock:Network@${OLD}`);
  expect((await one.deploy()).body.state).toBe("NO_CHANGES");
  await one.checkDrift();
  expect((await one.destroy()).body.state).toBe("SUCCEEDED");
  expect(calls).toContain(`read mock:Network@${OLD}`);
  expect(calls).toContain(`delete mock:Network@${OLD}`);
  expect(new Set(calls.map((call) => call.split("@")[1]))).toEqual(new Set([OLD]));
});

it("a check of the stored version says what is known of its version, not of a newer one", async () => {
  const one = await made(await makeTarget(tenant));
  known = NEW;
  const validate = (body: object) => tenant.post(`/templates/${one.templateId}/validate`, body);
  const stored = await validate({});
  expect(stored.body.resources[0].type).toBe(`mock:Network@${OLD}`);
  const again = await validate({ source: source() });
  expect(again.body.resources[0].type).toBe(`mock:Network@${NEW}`);
});

it("a newer version of the API updates the object and does not replace it", async () => {
  const targetId = await makeTarget(tenant);
  const one = await made(targetId);
  await one.deploy();
  known = NEW;
  await one.change(source());
  expect(await one.typeOf(2)).toBe(`mock:Network@${NEW}`);
  // Without a change, the object stays as it was applied.
  expect((await one.deploy()).body.state).toBe("NO_CHANGES");
  expect(await one.typeInState()).toBe(`mock:Network@${OLD}`);
  const changed = source().replace("[a]", "[b]");
  await one.change(changed);
  const updated = await one.deploy();
  expect(updated.body.summary).toMatchObject({ update: 1, replace: 0, delete: 0 });
  expect(await one.typeInState()).toBe(`mock:Network@${NEW}`);
  expect(calls).toContain(`update mock:Network@${NEW}`);
  expect((await ledger(targetId)).map(({ verb }) => verb)).toEqual(["create", "update"]);
});

it("an instance cannot take over what another manages by naming another version of its API", async () => {
  const targetId = await makeTarget(tenant);
  const owner = await made(targetId);
  await owner.deploy();
  const [{ id } = { id: "" }] = await ledger(targetId);
  known = NEW;
  const thief = await made(targetId, source("a", `, options: { import: "${id}" }`));
  const taken = await thief.deploy();
  expect(taken.body).toMatchObject({ state: "FAILED", error: { code: "claimed" } });
  const reader = await made(
    targetId,
    `resources:\n  mine: { type: "mock:Network@${OLD}", properties: { name: m }, options: { import: "x" } }\n  seen: { type: "mock:Network@${NEW}", get: { id: x } }\n`,
  ).then(
    () => undefined,
    (error: unknown) => String(error),
  );
  expect(reader).toContain("get_in_use");
  expect((await ledger(targetId)).map(({ verb }) => verb)).toEqual(["create"]);
});
