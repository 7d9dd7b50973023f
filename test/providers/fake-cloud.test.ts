/** The fake cloud, as a cloud of operations and patches whose answers are the bare objects. */
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import type { Provider, ProviderContext } from "#providers/provider.ts";
import type { OperationState } from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { restTypes } from "#providers/rest/rest-types.ts";
import { type Description, readDescription } from "#test/support/fake-cloud/description.ts";
import { FakeCloud, type FakeOptions } from "#test/support/fake-cloud/fake-cloud.ts";
import { JSON_PATCH, MERGE_PATCH } from "#test/support/fake-cloud/patched.ts";
import type { FakeRules } from "#test/support/fake-cloud/rules.ts";
import { textOf } from "#test/support/fake-cloud/text-of.ts";
import { REFUSED, validatingProxy } from "#test/support/fake-cloud/validating-proxy.ts";
import {
  aMap,
  aText,
  anInteger,
  aUuid,
  choice,
  listOf,
  object,
  writeDescription,
} from "#test/support/fake-cloud/write-description.ts";
import type { ConformanceCloud, ConformanceScript } from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";
import { untilFinal } from "./type-cycle.ts";

const HOUR_MS = 3_600_000;
const SERVICES = "/v1/services";
const NOTES = "/v1/notes";
const ORIGIN = "https://cloud.example";

const settings = object({
  tier: aText,
  size: anInteger,
  labels: { type: "object", additionalProperties: aText },
});
const sent = { name: aText, settings, notes: listOf(aText) };
const operation = object({
  "operation!": aText,
  "state!": choice("running", "done", "failed"),
  object: aText,
  error: aText,
});
const error = object({ "code!": aText, "message!": aText });
const shown = object({ "id!": aUuid, "state!": aText, ...sent });

const description: Description = readDescription(
  writeDescription(
    [
      {
        path: SERVICES,
        param: "service",
        many: "services",
        shown,
        create: object({ "name!": aText, settings, notes: listOf(aText) }),
        update: { method: "patch", type: MERGE_PATCH, body: object(sent) },
        operation,
      },
      {
        path: NOTES,
        param: "note",
        one: "note",
        many: "notes",
        shown,
        create: object(sent),
        update: { method: "patch", type: JSON_PATCH, body: listOf(aMap) },
      },
    ],
    [{ method: "get", path: "/v1/operations/{operation}", status: 200, answer: operation }],
    error,
  ),
);

const rules: FakeRules = {
  collections: {
    [SERVICES]: {
      states: { path: "state", from: "starting", to: "active", failed: "broken" },
      operation: {
        path: "/v1/operations/{operation}",
        shown: ({ id, state, object: made, failure }) => ({
          operation: id,
          state,
          ...(made === undefined ? {} : { object: made.key }),
          ...(failure === undefined ? {} : { error: failure.code }),
        }),
      },
      refusesChange: ({ shown: before }, wanted) =>
        tierOf(before) === tierOf(wanted)
          ? undefined
          : { status: 400, code: "immutable", message: "settings.tier cannot be changed." },
    },
    [NOTES]: {},
  },
  actions: {},
  error: ({ code, message }) => ({ code, message }),
};

function tierOf({ settings: given = null }: JsonMap): Json | undefined {
  return isJsonMap(given) ? given["tier"] : undefined;
}

const map = (value: Json | undefined): JsonMap => (isJsonMap(value) ? value : {});

const row: RestType = {
  path: SERVICES,
  update: "MERGE",
  name: { property: "name" },
  immutable: ["settings.tier"],
  find: { by: "label", property: "settings.labels", key: "made-by" },
  envelope: { list: "services" },
  state: { path: "state", ready: ["active"], fail: ["broken"] },
};

function providerOf(type: RestType): Provider {
  return restProvider({
    types: restTypes("vultr", () => ({ Service: type })),
    baseUrl: () => ORIGIN,
    credential: z.json(),
    config: z.object({}),
    authorize: () => ({}),
    readError: ({ json }) => ({
      code: textOf(map(json)["code"]),
      message: textOf(map(json)["message"]),
    }),
    poller: {
      started: ({ json }) => map(json)["operation"],
      path: (started) => `/v1/operations/${textOf(started)}`,
      read: ({ json }): OperationState => {
        const { state, object: made, error: code } = map(json);
        const known = made === undefined ? {} : { id: textOf(made) };
        return state === "failed"
          ? { state, code: textOf(code), message: "it failed", ...known }
          : { state: state === "done" ? state : "running", ...known };
      },
    },
    concurrency: 4,
    verifyPath: SERVICES,
  });
}

function cloudOf(options: FakeOptions) {
  const fake = new FakeCloud(description, rules, options);
  const proxy = validatingProxy(description, fake.fetch);
  const context: ProviderContext = {
    targetId: "target-1",
    region: "eu-1",
    config: {},
    credential: null,
    fetch: proxy.fetch,
    now: options.now ?? (() => Date.now()),
  };
  const existing = async () => fake.living(SERVICES).map(({ key }) => key);
  return { fake, context, violations: proxy.violations, fetch: proxy.fetch, existing };
}

function conformanceCloud(script: ConformanceScript): ConformanceCloud {
  const { fake, context, existing } = cloudOf({
    readyAfterMs: script.slow ? HOUR_MS : 0,
    listLagMs: script.listLagMs ?? 0,
    faults: script.faults ?? [],
    ...(script.endsFailed ? { operations: { fail: "named" } } : {}),
  });
  return { context, existing, finish: async () => fake.finish() };
}

const provider = providerOf(row);
const labels = { x: "1", y: "2" };

describe("the conformance of a type at a fake cloud of operations and merge patches", () => {
  providerConformance({
    provider,
    type: "vultr:Service",
    properties: (name) => ({ name, settings: { tier: "a", labels } }),
    changed: (name) => ({ name, settings: { tier: "a", labels: { x: "2" } } }),
    immutableChanged: (name) => ({ name, settings: { tier: "b", labels } }),
    missingId: "none",
    cloud: conformanceCloud,
  });
});

const call = {
  type: "vultr:Service",
  name: "one",
  properties: { name: "one", settings: { tier: "a", labels } },
  token: "t-1",
};

async function created(context: ProviderContext) {
  const started = await provider.create(context, call);
  return untilFinal(provider, context, started, { ...call, verb: "create" });
}

describe("an operation of the fake cloud", () => {
  it("lets an update and a delete take effect when it ends, and not before", async () => {
    let nowMs = 1_000_000;
    const cloud = cloudOf({ operations: { takesMs: 1_000 }, now: () => nowMs });
    const made = await provider.create(cloud.context, call);
    nowMs += 1_000;
    const done = await untilFinal(provider, cloud.context, made, { ...call, verb: "create" });
    const id = done.kind === "done" ? done.id : "";
    const [service] = cloud.fake.living(SERVICES);
    const properties = { name: "two", settings: { tier: "a", labels: { x: "2" } } };
    const of = { ...call, id, before: call.properties, properties };
    const changing = await provider.update(cloud.context, of);
    expect(changing).toMatchObject({ kind: "pending" });
    expect(service?.shown).toMatchObject({ name: "one" });
    nowMs += 1_000;
    const changed = await untilFinal(provider, cloud.context, changing, { ...of, verb: "update" });
    expect(changed).toMatchObject({ kind: "done", outputs: { name: "two" } });
    const deleting = await provider.delete(cloud.context, { ...of, token: "t-2" });
    expect(await cloud.existing()).toEqual([id]);
    nowMs += 1_000;
    const gone = await untilFinal(provider, cloud.context, deleting, { ...of, verb: "delete" });
    expect(gone).toEqual({ kind: "gone" });
    expect(await cloud.existing()).toEqual([]);
    expect(cloud.violations).toEqual([]);
  });

  it.for([
    ["named", 1],
    ["unnamed", 0],
  ] as const)("that fails %s leaves so many objects: %i", async ([fail, left]) => {
    const cloud = cloudOf({ operations: { fail } });
    const failed = await created(cloud.context);
    expect(failed).toMatchObject({ kind: "failed", code: "failed" });
    const ids = await cloud.existing();
    expect(ids).toHaveLength(left);
    expect(failed.kind === "failed" && failed.id).toBe(ids[0]);
  });

  it("that fails changes and deletes nothing", async () => {
    const cloud = cloudOf({ operations: { fail: "named" } });
    const { key: id, shown: before } = cloud.fake.put(SERVICES, call.properties);
    const of = {
      ...call,
      id,
      before: call.properties,
      properties: { ...call.properties, name: "two" },
    };
    const stays = { ...before };
    for (const verb of ["update", "delete"] as const) {
      const started = await provider[verb](cloud.context, of);
      const ended = await untilFinal(provider, cloud.context, started, { ...of, verb });
      expect(ended).toMatchObject({ kind: "failed", code: "failed" });
    }
    expect(cloud.fake.living(SERVICES).map((one) => one.shown)).toEqual([stays]);
  });

  it("that is lost leaves the outcome of a create unknown", async () => {
    const cloud = cloudOf({ operations: { lost: true } });
    expect(await created(cloud.context)).toMatchObject({ unknownOutcome: true, ended: true });
    const found = await provider.lookUp(cloud.context, { ...call, known: [] });
    expect(found.kind === "done" ? [found.id] : found).toEqual(await cloud.existing());
  });
});

describe("a patch at the fake cloud", () => {
  const patch = (path: string, type: string, body: Json) =>
    new Request(`${ORIGIN}${path}`, {
      method: "PATCH",
      headers: { "content-type": type },
      body: JSON.stringify(body),
    });

  it("that merges removes what is null at any depth, and keeps what it does not name", async () => {
    const { fake, fetch } = cloudOf({});
    const { key } = fake.put(SERVICES, {
      name: "one",
      notes: ["n"],
      settings: { size: 1, labels },
    });
    const body = { notes: null, settings: { labels: { x: null, z: "3" } } };
    const answer = await fetch(patch(`${SERVICES}/${key}`, MERGE_PATCH, body));
    expect(answer.status).toBe(202);
    const [after] = fake.living(SERVICES);
    expect(after?.shown).toMatchObject({ settings: { size: 1, labels: { y: "2", z: "3" } } });
    expect(after?.shown).not.toHaveProperty("notes");
    expect(after?.shown).not.toHaveProperty("settings.labels.x");
  });

  it.for([
    ["a misspelt member", MERGE_PATCH, { settings: { szie: 2 } }],
    ["a member of a wrong type", MERGE_PATCH, { settings: { size: "2" } }],
    ["plain JSON, which the cloud does not take", "application/json", { name: "two" }],
  ] as const)("with %s never reaches the cloud", async ([, type, body]) => {
    const { fake, fetch } = cloudOf({});
    const { key } = fake.put(SERVICES, { name: "one", settings: { size: 1 } });
    const answer = await fetch(patch(`${SERVICES}/${key}`, type, body));
    expect(answer.status).toBe(REFUSED);
    expect(fake.ledger).toEqual([]);
  });

  it("of operations makes them all", async () => {
    const { fake, fetch } = cloudOf({});
    const { key } = fake.put(NOTES, { name: "one", notes: ["a", "b"], settings: { labels } });
    const body = [
      { op: "replace", path: "/notes/0", value: "c" },
      { op: "add", path: "/notes/-", value: "d" },
      { op: "remove", path: "/settings/labels/x" },
      { op: "add", path: "/settings/size", value: 2 },
    ];
    const answer = await fetch(patch(`${NOTES}/${key}`, `${JSON_PATCH}; charset=utf-8`, body));
    expect(await answer.json()).toMatchObject({
      note: { name: "one", notes: ["c", "b", "d"], settings: { size: 2, labels: { y: "2" } } },
    });
  });

  it.for([
    ["whose test fails", { op: "test", path: "/name", value: "other" }],
    ["that removes what is not there", { op: "remove", path: "/settings/labels/z" }],
    ["at a misspelt property", { op: "add", path: "/settings/szie", value: 2 }],
    ["at a misspelt top-level property", { op: "add", path: "/nmae", value: "two" }],
  ] as const)("of an operation %s makes none", async ([, wrong]) => {
    const { fake, fetch } = cloudOf({});
    const { key } = fake.put(NOTES, { name: "one", settings: { labels } });
    const body = [{ op: "replace", path: "/name", value: "two" }, wrong];
    const answer = await fetch(patch(`${NOTES}/${key}`, JSON_PATCH, body));
    expect(answer.status).toBe(422);
    expect(fake.ledger).toEqual([]);
    expect(fake.living(NOTES)[0]?.shown).toMatchObject({ name: "one" });
  });
});
