/** The OpenFeature Remote Evaluation Protocol, by hand and with its own client. */
import { OFREPProvider } from "@openfeature/ofrep-provider";
import { OpenFeature } from "@openfeature/server-sdk";
import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import {
  BulkFailureView,
  EvaluationFailureView,
  EvaluationView,
} from "#areas/feature-flags/ofrep-contract.ts";
import { clientOf, makeTenant, operator, send, stranger } from "#test/support/api.ts";

const EVALUATE = "/ofrep/v1/evaluate/flags";
const tenant = await makeTenant(["feature_flags:read"]);
const other = await makeTenant(["feature_flags:read"]);

const flags: Record<string, object> = {
  switched: { type: "boolean", enabled: true },
  "turned-off": { type: "boolean", enabled: false, rules: [{}] },
  greeting: {
    type: "string",
    enabled: true,
    variants: { plain: "Hello", warm: "Good to see you" },
    defaultVariant: "plain",
    rules: [{ tenantIds: [tenant.tenantId], variant: "warm" }],
  },
  limit: { type: "number", enabled: true, variants: { a: 2.5 }, defaultVariant: "a" },
  theme: { type: "object", enabled: true, variants: { a: { dark: true } }, defaultVariant: "a" },
  half: { type: "boolean", enabled: true, rules: [{ percentage: 50 }] },
};

beforeAll(async () => {
  for (const [key, flag] of Object.entries(flags)) {
    const put = await operator.put(`/feature-flags/${key}`, flag);
    if (put.status !== 200) throw new Error(`No flag: ${put.text}`);
  }
});

describe("evaluating a flag", () => {
  it.for([
    ["switched", { value: true, variant: "on", reason: "STATIC" }],
    ["turned-off", { value: false, variant: "off", reason: "DISABLED" }],
    ["greeting", { value: "Good to see you", variant: "warm", reason: "TARGETING_MATCH" }],
    ["limit", { value: 2.5, variant: "a", reason: "STATIC" }],
    ["theme", { value: { dark: true }, variant: "a", reason: "STATIC" }],
  ] as const)("answers %s and why", async ([key, expected]) => {
    const answer = await tenant.post(`${EVALUATE}/${key}`, { context: { targetingKey: "u" } });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.body).toEqual({ key, ...expected, metadata: { version: "1" } });
    expect(EvaluationView.strict().safeParse(answer.body).success).toBe(true);
  });

  it("uses the caller's tenant; only an operator can name another one", async () => {
    const context = { targetingKey: "u", tenantId: tenant.tenantId };
    const foreign = await other.post(`${EVALUATE}/greeting`, { context });
    expect(foreign.body).toMatchObject({ value: "Hello", reason: "DEFAULT" });
    const asked = await operator.post(`${EVALUATE}/greeting`, {
      context: { ...context, tenantId: tenant.tenantId.toUpperCase() },
    });
    expect(asked.body).toMatchObject({ value: "Good to see you" });
    const unsaid = await operator.post(`${EVALUATE}/greeting`, { context: { tenantId: 7 } });
    expect(unsaid.body).toMatchObject({ value: "Hello", reason: "DEFAULT" });
  });

  it("reports errors in the protocol's shape", async () => {
    for (const [key, body, status, errorCode] of [
      ["none", {}, 404, "FLAG_NOT_FOUND"],
      ["k".repeat(500), {}, 404, "FLAG_NOT_FOUND"],
      ["half", {}, 400, "TARGETING_KEY_MISSING"],
      ["half", { context: { targetingKey: "" } }, 400, "TARGETING_KEY_MISSING"],
      ["half", { context: { targetingKey: 7 } }, 400, "INVALID_CONTEXT"],
      ["half", { context: { targetingKey: null } }, 400, "INVALID_CONTEXT"],
      ["half", { context: "u" }, 400, "INVALID_CONTEXT"],
      ["half", { context: null }, 400, "INVALID_CONTEXT"],
      ["half", { context: [] }, 400, "INVALID_CONTEXT"],
      ["half", [], 400, "PARSE_ERROR"],
      ["half", "u", 400, "PARSE_ERROR"],
    ] as const) {
      const answer = await tenant.post(`${EVALUATE}/${key}`, body);
      expect(answer.status, `${key} ${JSON.stringify(body)} ${answer.text}`).toBe(status);
      expect(answer.headers.get("content-type")).toBe("application/json");
      expect(answer.body).toEqual({ key, errorCode, errorDetails: expect.any(String) });
      expect(EvaluationFailureView.strict().safeParse(answer.body).success).toBe(true);
    }
  });

  it.for(["", "{", '{"context":', "\u0000", "[".repeat(40)])(
    "calls the body %j a parse error",
    async (body) => {
      for (const path of [`${EVALUATE}/half`, EVALUATE]) {
        const answer = await send("POST", path, {
          headers: {
            authorization: `Bearer ${tenant.key}`,
            "content-type": "application/json; charset=utf-8",
          },
          body,
        });
        expect(answer.status, answer.text).toBe(400);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.body).toEqual({
          ...(path === EVALUATE ? {} : { key: "half" }),
          errorCode: "PARSE_ERROR",
          errorDetails: expect.any(String),
        });
      }
    },
  );

  it("requires a key with the scope", async () => {
    const unscoped = await makeTenant(["templates:read"]);
    for (const path of [`${EVALUATE}/switched`, EVALUATE]) {
      expect((await stranger.post(path, {})).status).toBe(401);
      expect((await clientOf("cpk_wrong").post(path, {})).status).toBe(401);
      expect((await unscoped.post(path, {})).status).toBe(403);
      expect((await stranger.get(path)).status).toBe(405);
    }
  });
});

describe("evaluating all flags", () => {
  it("answers each by key, with an error for one that cannot be evaluated", async () => {
    const all = await tenant.post(EVALUATE, { context: {} });
    expect(all.status, all.text).toBe(200);
    const keys: string[] = all.body.flags.map(({ key }: { key: string }) => key);
    expect(keys).toEqual([...keys].sort());
    // Other suites have flags too.
    expect(keys.filter((key) => Object.hasOwn(flags, key))).toEqual(Object.keys(flags).sort());
    const half = all.body.flags.find(({ key }: { key: string }) => key === "half");
    expect(half).toMatchObject({ errorCode: "TARGETING_KEY_MISSING" });
    for (const one of all.body.flags)
      expect(
        EvaluationView.strict().safeParse(one).success ||
          EvaluationFailureView.strict().safeParse(one).success,
      ).toBe(true);
  });

  it("agrees with the single evaluations", async () => {
    const body = { context: { targetingKey: "user-7" } };
    const all = await tenant.post(EVALUATE, body);
    for (const one of all.body.flags)
      expect((await tenant.post(`${EVALUATE}/${one.key}`, body)).body).toEqual(one);
  });

  it("answers 304 until a value changes for the context", async () => {
    const body = { context: { targetingKey: "u" } };
    const first = await tenant.post(EVALUATE, body);
    const etag = first.headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const same = await tenant.post(EVALUATE, body, { "if-none-match": known });
      expect([same.status, same.text, same.headers.get("etag")]).toEqual([304, "", etag]);
    }
    const foreign = await other.post(EVALUATE, body, { "if-none-match": etag });
    expect(foreign.status).toBe(200);
    await operator.put("/feature-flags/limit", { ...flags["limit"], variants: { a: 3 } });
    const changed = await tenant.post(EVALUATE, body, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
    await operator.put("/feature-flags/limit", flags["limit"]);
  });

  it("rejects an invalid context", async () => {
    const refused = await tenant.post(EVALUATE, { context: 7 });
    expect(refused.status).toBe(400);
    expect(refused.body.errorCode).toBe("INVALID_CONTEXT");
    expect(BulkFailureView.strict().safeParse(refused.body).success).toBe(true);
  });
});

describe("the OpenFeature client", () => {
  const clientFor = async (key: string) => {
    const provider = new OFREPProvider({
      baseUrl: "https://control.test/api/v1",
      headers: [["Authorization", `Bearer ${key}`]],
      fetchImplementation: (input: RequestInfo | URL, init?: RequestInit) =>
        exports.default.fetch(new Request(input, init)),
    });
    const domain = crypto.randomUUID();
    await OpenFeature.setProviderAndWait(domain, provider);
    return OpenFeature.getClient(domain);
  };

  it("gets every type of value with its variant and reason", async () => {
    const client = await clientFor(tenant.key);
    const context = { targetingKey: "u" };
    expect(await client.getBooleanDetails("switched", false, context)).toMatchObject({
      value: true,
      variant: "on",
      reason: "STATIC",
      flagMetadata: { version: "1" },
    });
    expect(await client.getStringValue("greeting", "?", context)).toBe("Good to see you");
    expect(await client.getNumberValue("limit", 0, context)).toBe(2.5);
    expect(await client.getObjectValue("theme", {}, context)).toEqual({ dark: true });
    expect(await client.getBooleanDetails("turned-off", true, context)).toMatchObject({
      value: false,
      reason: "DISABLED",
    });
    const colleague = await clientFor(other.key);
    expect(await colleague.getStringDetails("greeting", "?", context)).toMatchObject({
      value: "Hello",
      reason: "DEFAULT",
    });
  });

  it("splits by its targeting key, the same way each time", async () => {
    const client = await clientFor(tenant.key);
    const values = async () =>
      Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          client.getBooleanDetails("half", false, { targetingKey: `user-${at}` }),
        ),
      );
    const first = await values();
    expect(new Set(first.map(({ value }) => value)).size).toBe(2);
    expect(new Set(first.map(({ reason }) => reason))).toEqual(new Set(["SPLIT"]));
    expect((await values()).map(({ value }) => value)).toEqual(first.map(({ value }) => value));
  });

  it("understands errors, and falls back to its default", async () => {
    const client = await clientFor(tenant.key);
    expect(await client.getBooleanDetails("none", true)).toMatchObject({
      value: true,
      errorCode: "FLAG_NOT_FOUND",
    });
    expect(await client.getBooleanDetails("half", true)).toMatchObject({
      value: true,
      errorCode: "TARGETING_KEY_MISSING",
    });
    expect(await client.getStringDetails("switched", "mine")).toMatchObject({
      value: "mine",
      errorCode: "TYPE_MISMATCH",
    });
    const nobody = await clientFor("cpk_wrong");
    expect(await nobody.getBooleanDetails("switched", false)).toMatchObject({
      value: false,
      errorCode: "GENERAL",
    });
  });
});
