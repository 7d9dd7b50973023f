/**
 * The request fields of the API reference, row by row: shortest, longest and one beyond, every enum value and
 * an unknown one, defaults, optional and unknown members.
 */
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { unknownMembers } from "#http/unknown-members.ts";
import type { Json, JsonMap } from "#platform/json.ts";
import { faultsOf } from "#test/support/answers.ts";
import { type Answer, OPERATOR_KEY } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import {
  answerEveryReceiver,
  makeRoomForTriggers,
  makeWorld,
  pathIn,
  sampleBody,
  statusIn,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
beforeEach(() => makeRoomForTriggers(world));
const tenantHex = world.tenantId.replaceAll("-", "").toUpperCase();

interface Field {
  good: readonly Json[];
  bad: readonly Json[];
  required?: true;
  /** The value in the answer if the field is absent. */
  byDefault?: Json;
  /** Other members to send, because they depend on each other. */
  beside?: (value: Json) => JsonMap;
}

const x = (length: number): string => "x".repeat(length);
const list = (length: number): string[] => Array.from({ length }, (_, at) => `item ${at}`);
const noText: readonly Json[] = [null, 1, true, [], {}];
const noList: readonly Json[] = [null, "text", 1, {}];
const noMap: readonly Json[] = [null, "text", 1, []];

const text = (least: number, most: number): Field => ({
  good: [x(least), x(most)],
  bad: [...(least > 0 ? [x(least - 1)] : []), x(most + 1), ...noText],
});
const oneOf = (...values: string[]): Field => ({
  good: values,
  bad: ["foreign", "", "constructor", ...values.map(swapCase), ...noText],
});
const swapCase = (value: string): string =>
  value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
const items = (least: number, most?: number): Field => ({
  good: [list(least), list(most ?? least + 1)],
  bad: [
    ...(least > 0 ? [list(least - 1)] : []),
    ...(most === undefined ? [] : [list(most + 1)]),
    ...noList,
  ],
});
const map: Field = { good: [{}, { key: [1, { deep: null }] }], bad: noMap };
const required = (field: Field): Field => ({ ...field, required: true });
const otherwise = (field: Field, byDefault: Json): Field => ({ ...field, byDefault });

const ofTenant: Field = {
  good: [world.tenantId, world.tenantId.toUpperCase()],
  bad: [
    "",
    "acme",
    world.tenantId.slice(1),
    `${world.tenantId}\n`,
    `{${world.tenantId}}`,
    "01890000-0000-0000-8000-000000000000",
    "01890000-0000-9000-8000-000000000000",
    "01890000-0000-7000-c000-000000000000",
    "fffffffF-ffff-ffff-ffff-ffffffffffff",
    ...noText,
  ],
};

/** A valid slug, different each time: a taken one would be refused for another reason. */
const slugs = (least: number, most: number): Field => {
  const unlike = () => crypto.randomUUID().replaceAll("-", "");
  return {
    good: [
      `a${unlike()}`.slice(0, least),
      `a-${unlike()}-${unlike()}-${unlike()}`.slice(0, most),
      `a9--${unlike()}`.slice(0, Math.min(most, 36)),
    ],
    bad: [
      "a".repeat(least - 1),
      "a".repeat(most + 1),
      "1abc",
      "-abc",
      "Abc",
      "a_bc",
      "a bc",
      "abc\n",
      ...noText,
    ],
  };
};

/** By the endpoint's number in the reference. */
const tables: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  createCloudTarget: {
    provider: required(
      oneOf(
        "aws",
        "azure",
        "gcp",
        "oci",
        "digitalocean",
        "vultr",
        "coreweave",
        "magalu",
        "vercel",
        "render",
        "supabase",
        "mock",
      ),
    ),
    name: required(text(2, 80)),
    environment: otherwise(oneOf("production", "staging", "development", "sandbox", "any"), "any"),
    config: required(map),
    credentialRef: {
      good: [
        `env://TARGET_${tenantHex}_A`,
        `env://TARGET_${tenantHex}_`.padEnd(300, "A"),
        `aws-sm://control/${world.tenantId}/key`,
      ],
      bad: [
        "",
        "env://",
        "env:// A",
        "vault://a",
        "ENV://A",
        " env://A",
        `env://TARGET_${tenantHex}_A B`,
        `env://TARGET_${tenantHex}_`.padEnd(301, "A"),
        ...noText.slice(1),
      ],
    },
    allowedRegions: required({
      ...items(1),
      beside: (value) => ({ defaultRegion: Array.isArray(value) ? (value[0] ?? "eu") : "eu" }),
    }),
    defaultRegion: required({
      good: [x(2), x(500)],
      bad: [x(1), "", ...noText],
      beside: (value) => ({ allowedRegions: typeof value === "string" ? [value] : ["eu"] }),
    }),
    tenantId: ofTenant,
    maxConcurrentDeployments: otherwise(
      { good: [1, 2, 20], bad: [0, 21, -1, 1.5, "3", null, true, [3]] },
      3,
    ),
  },
  addIncidentUpdate: {
    status: required(oneOf("RESOLVED", "INVESTIGATING", "IDENTIFIED", "MONITORING")),
    message: required(text(1, 5000)),
    impact: oneOf(
      "OPERATIONAL",
      "DEGRADED",
      "PARTIAL_OUTAGE",
      "MAJOR_OUTAGE",
      "MAINTENANCE",
      "UNKNOWN",
    ),
  },
  changeMemberRole: {
    role: required(oneOf("CustomerOwner", "CustomerAdmin", "CustomerDeveloper", "CustomerViewer")),
  },
  createTenant: {
    name: required(text(2, 80)),
    slug: required(slugs(2, 41)),
    limits: otherwise(map, {}),
    allowedEmailDomains: otherwise(items(0), []),
  },
  updateListing: {
    slug: slugs(3, 63),
    title: text(3, 80),
    summary: text(10, 240),
    description: text(0, 8000),
    categories: items(1, 4),
    tags: items(0, 8),
  },
  createListing: {
    description: otherwise(text(0, 8000), ""),
    tags: otherwise(items(0, 8), []),
  },
  reviewListing: {
    decision: required(oneOf("approve", "reject", "unlist")),
    badges: items(0),
    notes: text(0, 2000),
  },
  addTemplateVersion: {
    source: required({
      good: ["{}", "name: a\n#".padEnd(200_000, "x")],
      bad: ["", x(200_001), ...noText],
    }),
  },
  validateTemplate: {
    source: { good: ["x", x(200_000)], bad: ["", x(200_001), ...noText] },
    tenantId: ofTenant,
  },
  updateInstance: {
    name: text(2, 80),
    variables: { good: [{}, { password: "correct horse battery" }], bad: noMap },
    bindings: { good: [{}], bad: noMap },
    protectedFromDestroy: { good: [true, false], bad: [null, "true", 1, 0, []] },
  },
  createImport: {
    tenantId: ofTenant,
    files: { good: [[], list(2000)], bad: [list(2001), ...noList] },
    report: { good: [{}, { any: ["thing"] }], bad: noMap },
  },
  createWebhook: {
    url: required({
      good: ["https://a.example/", "https://a.example/?".padEnd(2000, "x")],
      bad: ["", "a.example", "https://", "https://a.example/?".padEnd(2001, "x"), ...noText],
    }),
    description: otherwise(text(0, 200), ""),
    events: required({
      good: [["deployment.started"], ["deployment.started", "*"]],
      bad: [[], ["deployment.begun"], [1], ...noList],
    }),
    tenantId: ofTenant,
  },
};

const endpointOf = (operationId: string): Endpoint => {
  const found = endpoints.find((endpoint) => endpoint.operationId === operationId);
  if (found === undefined) throw new Error(`There is no endpoint ${operationId}`);
  return found;
};

/** Codes of a valid request that the object's state does not allow. */
const refusedNow = new Set(["invalid_state", "last_owner", "conflict"]);

async function sent(endpoint: Endpoint, body: JsonMap | undefined): Promise<Answer> {
  const { access } = endpoint;
  const isOperators = access !== "public" && access.role === "operator";
  return ask(endpoint, pathIn(world, endpoint), {
    key: isOperators ? OPERATOR_KEY : world.tenant.key,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

function expectAccepted(endpoint: Endpoint, answer: Answer): void {
  if (answer.status !== 409)
    expect(answer.status, answer.text.slice(0, 500)).toBe(statusIn(endpoint));
  else expect([...refusedNow], answer.text).toContain(answer.body.code);
}

const rows = Object.entries(tables).flatMap(([operationId, fields]) =>
  Object.entries(fields).map(([name, field]) => {
    const endpoint = endpointOf(operationId);
    return [titleOf(endpoint), name, endpoint, field] as const;
  }),
);

/** Fields that answers show differently: an import's result, and ids in lower case. */
const isShown = ({ operationId }: Endpoint, name: string, { status, body }: Answer): boolean =>
  status === 201 &&
  Object.hasOwn(body, name) &&
  operationId !== "createImport" &&
  name !== "tenantId";

describe.each(rows)("%s, %s", (_, name, endpoint, field) => {
  const { good, bad, byDefault, beside } = field;
  const bodyWith = (value: Json) => ({
    ...sampleBody(world, endpoint),
    ...beside?.(value),
    [name]: value,
  });
  const without = () => {
    const { [name]: _, ...rest } = sampleBody(world, endpoint) ?? {};
    return rest;
  };

  it("accepts every value that the reference allows", async () => {
    for (const value of good) {
      const answer = await sent(endpoint, bodyWith(value));
      expectAccepted(endpoint, answer);
      if (isShown(endpoint, name, answer)) expect(answer.body[name]).toEqual(value);
    }
  });

  it("rejects every value beyond", async () => {
    for (const value of bad) {
      const answer = await sent(endpoint, bodyWith(value));
      expect([answer.status, answer.body.code], JSON.stringify(value).slice(0, 200)).toEqual([
        400,
        "validation_failed",
      ]);
      for (const { pointer } of answer.body.errors)
        expect(`${pointer}/`.startsWith(`/${name}/`), pointer).toBe(true);
    }
  });

  it(`${field.required === true ? "must" : "need not"} be there`, async () => {
    const answer = await sent(endpoint, without());
    if (field.required !== true) return expectAccepted(endpoint, answer);
    expect([answer.status, answer.body.code]).toEqual([400, "validation_failed"]);
    expect(answer.body.errors).toMatchObject([{ in: "body", pointer: `/${name}` }]);
  });

  if (byDefault !== undefined)
    it(`is ${JSON.stringify(byDefault)} where it is absent`, async () => {
      const answer = await sent(endpoint, without());
      expectAccepted(endpoint, answer);
      expect(answer.body[name]).toEqual(byDefault);
    });
});

describe.each(
  Object.keys(tables).map((operationId) => {
    const endpoint = endpointOf(operationId);
    return [titleOf(endpoint), endpoint] as const;
  }),
)("%s", (_, endpoint) => {
  it("refuses unknown members, each by its name", async () => {
    const unknown = { unknownMember: { x: [1] }, id: "mine", version_: 9, __proto__x: 1 };
    const answer = await sent(endpoint, { ...unknown, ...sampleBody(world, endpoint) });
    expect([answer.status, answer.body.code]).toEqual([400, "unknown_parameter"]);
    expect(faultsOf(answer)).toEqual(Object.keys(unknown).map((name) => `/${name}`));
  });
});

/** Rules 2 and 3 of the reference: endpoints 8, 9, 11 and 12. */
describe.each(
  ["updateListing", "validateTemplate", "updateInstance", "createImport"].map((operationId) => {
    const endpoint = endpointOf(operationId);
    return [titleOf(endpoint), endpoint] as const;
  }),
)("%s", (_, endpoint) => {
  it.each([
    ["an empty object", {}],
    ["no body", undefined],
  ])("accepts %s", async (_, body) => {
    const answer = await sent(endpoint, body);
    expect(answer.status, answer.text.slice(0, 500)).toBe(endpoint.answer.status);
  });
});

/** Rule 4 of the reference. */
it.each([
  "cancelDeployment",
  "listInstanceTriggers",
  "deployInstance",
  "deleteFeatureFlag",
  "getStatus",
  "deleteProfile",
  "getImport",
  "listListings",
  "listTemplates",
  "getLicense",
  "rotateWebhookSecret",
  "testWebhook",
])("%s needs no body", (operationId) => {
  const { body, bodyOptional } = endpointOf(operationId);
  expect(body === undefined || bodyOptional === true).toBe(true);
});

describe.each(
  endpoints.flatMap((endpoint) =>
    Object.entries(endpoint.elsewhere ?? {}).map(
      ([name, other]) => [titleOf(endpoint), name, other, endpoint] as const,
    ),
  ),
)("%s, sent %s", (_, name, other, endpoint) => {
  it(`names ${other}, which takes it`, async () => {
    const [method, path] = other.split(" ");
    const found = endpoints.find((one) => one.method === method && one.path === path);
    const schema = found?.body ?? found?.query ?? z.object({});
    expect(unknownMembers(schema, { [name]: null })).toEqual([]);
    const answer = await sent(endpoint, { ...sampleBody(world, endpoint), [name]: "x" });
    expect([answer.status, answer.body.code]).toEqual([400, "unknown_parameter"]);
    expect(answer.body.detail).toContain(`There is no member "${name}" here. ${other} takes it. `);
    expect(answer.body.errors[0].detail).toMatch(`${other} takes it. Known here: `);
  });
});
