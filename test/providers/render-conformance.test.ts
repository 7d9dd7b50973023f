import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { renderProvider } from "#providers/render/render-provider.ts";
import { describedConformanceCloud, foreignName } from "./conformance-cloud.ts";
import type { ConformanceSubject, Refusal } from "./conformance-subject.ts";
import { providerConformance } from "./provider-conformance.ts";
import { renderDocument } from "./render/description.ts";
import { renderCloud, renderDescription } from "./render/render-cloud.ts";
import { OWNER } from "./render/rules.ts";

const description = renderDescription(renderDocument);
const said = (message: string): JsonMap => ({ message });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("Unauthorized"), means: "denied" },
  { on: "create", status: 402, body: said("enter payment information"), means: "quota" },
  { on: "create", status: 403, body: said("forbidden"), means: "denied" },
  { on: "create", status: 409, body: said("name already in use"), means: "exists" },
  { on: "create", status: 429, body: said("rate limit exceeded"), means: "throttled" },
  { on: "create", status: 400, body: said("invalid plan"), means: "invalid" },
  { on: "update", status: 409, body: said("conflict"), means: "busy" },
  { on: "update", status: 400, body: said("the service is suspended"), means: "invalid" },
  { on: "delete", status: 409, body: said("still has resources"), means: "busy" },
  { on: "delete", status: 404, body: said("not found"), means: "gone" },
  { on: "delete", status: 410, body: said("no longer available"), means: "gone" },
  { on: "delete", status: 404, body: {}, means: "denied" },
  { on: "read", status: 404, body: {}, means: "denied" },
  { on: "read", status: 403, body: said("forbidden"), means: "denied" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals"> & { collection: string };

const service = (name: string, more: JsonMap = {}): JsonMap => ({
  type: "web_service",
  name,
  repo: "https://git.example/shop",
  serviceDetails: {
    runtime: "docker",
    region: "frankfurt",
    envSpecificDetails: { dockerfilePath: "./Dockerfile" },
    ...more,
  },
});
const postgres = (name: string): JsonMap => ({
  name,
  plan: "basic_256mb",
  version: "17",
  region: "frankfurt",
});

const subjects: readonly Subject[] = [
  {
    type: "render:Service",
    collection: "/v1/services",
    properties: (name) => service(name),
    changed: (name) => service(name, { plan: "standard" }),
    missingId: "srv-00000000000000000000",
    uniqueNames: true,
  },
  {
    type: "render:Postgres",
    collection: "/v1/postgres",
    properties: postgres,
    changed: (name) => ({ ...postgres(name), plan: "basic_1gb" }),
    immutableChanged: (name) => ({ ...postgres(name), version: "18" }),
    missingId: "dpg-00000000000000000000",
  },
  {
    type: "render:EnvGroup",
    collection: "/v1/env-groups",
    properties: (name) => ({ name, envVars: [{ key: "A", value: "1" }] }),
    changed: (name) => ({ name, envVars: [{ key: "A", value: "2" }] }),
    missingId: "evg-00000000000000000000",
    readyAtOnce: true,
  },
];

for (const { collection, ...subject } of subjects)
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: renderProvider(),
      refusals,
      cloud: (script) =>
        describedConformanceCloud(
          collection,
          script,
          (options) => renderCloud(description, options),
          (name, at) => ({
            ...subject.properties(name),
            name: foreignName(name, at, subject.uniqueNames),
            ownerId: OWNER,
          }),
        ),
    });
  });
