import * as z from "zod";
import { isJsonMap } from "#platform/json.ts";
import type {
  CreateCall,
  LookUpCall,
  PollCall,
  Provider,
  UpdateCall,
} from "#providers/provider.ts";
import type { RestProviderDefinition } from "#providers/rest/definition.ts";
import { restProvider } from "#providers/rest/rest-provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { restTypes } from "#providers/rest/rest-types.ts";

/** A provider with one invented type, `vultr:Thing`, defined by the test. */
export function sampleProvider(
  row: Partial<RestType> = {},
  definition: Partial<RestProviderDefinition> = {},
): Provider {
  return restProvider({
    types: restTypes("vultr", () => ({
      Thing: { path: "/v1/things", update: "PATCH", name: { property: "name" }, ...row },
    })),
    baseUrl: () => "https://cloud.example",
    credential: z.object({ token: z.string() }),
    config: z.object({ team: z.string().optional() }),
    authorize: (_, { credential }) => ({
      authorization: `Bearer ${isJsonMap(credential) && typeof credential["token"] === "string" ? credential["token"] : ""}`,
    }),
    readError: ({ status, json }) => ({
      code: isJsonMap(json) && typeof json["code"] === "string" ? json["code"] : `http_${status}`,
      message:
        isJsonMap(json) && typeof json["message"] === "string" ? json["message"] : "no reason",
    }),
    concurrency: 4,
    verifyPath: "/v1/account",
    ...definition,
  });
}

export function createCall(more: Partial<CreateCall> = {}): CreateCall {
  return {
    type: "vultr:Thing",
    name: "thing-one",
    properties: { size: 1 },
    token: "token-1",
    ...more,
  };
}

export function lookUpCall(more: Partial<LookUpCall> = {}): LookUpCall {
  return { ...createCall(), known: [], ...more };
}

export function updateCall(more: Partial<UpdateCall> = {}): UpdateCall {
  return {
    type: "vultr:Thing",
    name: "thing-one",
    id: "t-1",
    before: { size: 1 },
    properties: { size: 2 },
    token: "token-1",
    ...more,
  };
}

export function pollCall(verb: PollCall["verb"], more: Partial<PollCall> = {}): PollCall {
  return {
    type: "vultr:Thing",
    verb,
    name: "thing-one",
    properties: { size: 1 },
    id: "t-1",
    handle: { sinceMs: 1_000_000 },
    ...more,
  };
}
