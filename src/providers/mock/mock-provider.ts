/**
 * The mock provider: the code path of every real provider, with a free cloud that can script faults. The cloud is built
 * in (`mock-cloud.ts`), one per target, unless the operator overrides the endpoint. Keeps no state: if the Worker
 * crashes, the cloud's idempotency keys make a repeated create return the object of the first.
 */
import * as z from "zod";
import { isJsonMap } from "#platform/json.ts";
import type { FailureMeaning, Provider, ProviderContext } from "#providers/provider.ts";
import type { OperationState, Poller, RestProviderDefinition } from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import { MOCK_CONFIG_HEADER, MockConfig } from "./config.ts";
import { connectMockCloud } from "./connect.ts";
import { mockRowIn } from "./row-in.ts";
import { mockTypes } from "./types.ts";

/** JSON with non-ASCII characters escaped, because headers are ASCII. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function configHeader(context: ProviderContext): Readonly<Record<string, string>> {
  if (context.endpoint !== undefined) return {};
  return { [MOCK_CONFIG_HEADER]: asciiJson(MockConfig.parse(context.config)) };
}

/** The codes that say more than their status. */
const meanings: ReadonlyMap<string, FailureMeaning> = new Map([
  ["in_use", "busy"],
  ["denied", "denied"],
  ["quota_exceeded", "quota"],
]);

const poller: Poller = {
  started: ({ status, json }) => {
    const operation = status === 202 && isJsonMap(json) ? json["operation"] : undefined;
    return isJsonMap(operation) ? operation["id"] : undefined;
  },
  path: (operation) =>
    `/v1/_operations/${encodeURIComponent(typeof operation === "string" ? operation : "")}`,
  read: ({ json }): OperationState => {
    const { status, target, error } = isJsonMap(json) ? json : {};
    const known = typeof target === "string" ? { id: target } : {};
    if (status !== "failed") return { state: status === "done" ? "done" : "running", ...known };
    const { code, message } = isJsonMap(error) ? error : {};
    return {
      state: "failed",
      code: typeof code === "string" ? code : "failed",
      message: typeof message === "string" ? message : "unknown reason",
      ...known,
    };
  },
};

export const mockDefinition: RestProviderDefinition = {
  types: mockTypes,
  rowIn: mockRowIn,
  baseUrl: () => "https://mock.cloud.invalid",
  credential: z.json(),
  config: MockConfig,
  headers: configHeader,
  authorize: (_, { session }) =>
    typeof session === "string" ? { authorization: `Bearer ${session}` } : {},
  readError: ({ status, json }) => {
    const { code, message } = isJsonMap(json) ? json : {};
    const means = typeof code === "string" ? meanings.get(code) : undefined;
    return {
      code: typeof code === "string" && code !== "" ? code : `http_${status}`,
      message: typeof message === "string" && message !== "" ? message : "unknown reason",
      ...(means === undefined ? {} : { means }),
    };
  },
  poller,
  session: {
    needed: ({ config }) => MockConfig.safeParse(config).data?.sessions !== undefined,
    obtain: async ({ now }, ask) => {
      const asked = await ask({ method: "POST", path: "/v1/_sessions", body: {} });
      if (!asked.ok) return asked.failed;
      const { token = null, expiresInMs } = asked.json;
      return { kind: "session", token, expiresMs: now() + Number(expiresInMs) };
    },
  },
  concurrency: 6,
  account: async ({ config }, request) => {
    if (MockConfig.parse(config).account === undefined) return "unnamed";
    const asked = await request({ method: "GET", path: "/v1/_account" });
    if (!asked.ok) return asked.failed;
    const { id } = isJsonMap(asked.answer.json) ? asked.answer.json : {};
    return typeof id === "string" ? id : "";
  },
  connect: connectMockCloud,
  verifyPath: "/v1/networks",
};

export function mockProvider(): Provider {
  return restProvider(mockDefinition);
}
