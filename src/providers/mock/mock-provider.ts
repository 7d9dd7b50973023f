/**
 * The mock provider: the code path of every real provider, with a free cloud that can script faults. The cloud is built
 * in (`mock-cloud.ts`), one per target, unless the operator overrides the endpoint. Keeps no state: if the Worker
 * crashes, the cloud's idempotency keys make a repeated create return the object of the first.
 */
import * as z from "zod";
import { isJsonMap } from "#platform/json.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
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

export const mockDefinition: RestProviderDefinition = {
  types: mockTypes,
  rowIn: mockRowIn,
  baseUrl: () => "https://mock.cloud.invalid",
  credential: z.json(),
  config: MockConfig,
  headers: configHeader,
  authorize: () => ({}),
  readError: ({ status, json }) => {
    const { code, message } = isJsonMap(json) ? json : {};
    return {
      code: typeof code === "string" && code !== "" ? code : `http_${status}`,
      message: typeof message === "string" && message !== "" ? message : "unknown reason",
    };
  },
  concurrency: 6,
  connect: connectMockCloud,
  verifyPath: "/v1/networks",
};

export const mockProvider = restProvider(mockDefinition);
