import { describe } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { digitaloceanProvider } from "#providers/digitalocean/digitalocean-provider.ts";
import { describedConformanceCloud, foreignName } from "./conformance-cloud.ts";
import type { ConformanceSubject, Refusal } from "./conformance-subject.ts";
import { digitaloceanDocument } from "./digitalocean/description.ts";
import { digitaloceanCloud, digitaloceanDescription } from "./digitalocean/digitalocean-cloud.ts";
import { providerConformance } from "./provider-conformance.ts";

const description = digitaloceanDescription(digitaloceanDocument);

const said = (id: string, message: string): JsonMap => ({ id, message });

const refusals: readonly Refusal[] = [
  { on: "create", status: 401, body: said("unauthorized", "Unable"), means: "denied" },
  { on: "create", status: 403, body: said("forbidden", "You are not"), means: "denied" },
  {
    on: "create",
    status: 422,
    body: said("unprocessable_entity", "this will exceed your droplet limit"),
    means: "quota",
  },
  { on: "create", status: 429, body: said("too_many_requests", "rate"), means: "throttled" },
  { on: "create", status: 422, body: said("unprocessable_entity", "bad size"), means: "invalid" },
  { on: "delete", status: 409, body: said("conflict", "in conflict"), means: "busy" },
  { on: "delete", status: 423, body: said("locked", "locked"), means: "busy" },
  { on: "delete", status: 404, body: said("not_found", "none"), means: "gone" },
  { on: "read", status: 403, body: said("forbidden", "You are not"), means: "denied" },
];

type Subject = Omit<ConformanceSubject, "provider" | "cloud" | "refusals"> & { collection: string };

const rule = (port: number): JsonMap => ({
  entry_protocol: "http",
  entry_port: port,
  target_protocol: "http",
  target_port: port,
});

const subjects: readonly Subject[] = [
  {
    type: "digitalocean:Vpc",
    collection: "/v2/vpcs",
    properties: (name) => ({ name, region: "nyc3" }),
    changed: (name) => ({ name, region: "nyc3", description: "changed" }),
    missingId: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
    uniqueNames: true,
    readyAtOnce: true,
  },
  {
    type: "digitalocean:Droplet",
    collection: "/v2/droplets",
    properties: (name) => ({ name, region: "nyc3", size: "s-1", image: "debian", tags: ["a"] }),
    changed: (name) => ({ name, region: "nyc3", size: "s-1", image: "debian", tags: ["b"] }),
    immutableChanged: (name) => ({ name, region: "nyc3", size: "s-1", image: "ubuntu" }),
    missingId: "404",
  },
  {
    type: "digitalocean:Volume",
    collection: "/v2/volumes",
    properties: (name) => ({ name, region: "nyc3", size_gigabytes: 10 }),
    changed: (name) => ({ name, region: "nyc3", size_gigabytes: 20 }),
    immutableChanged: (name) => ({ name, region: "nyc3", size_gigabytes: 10, description: "x" }),
    missingId: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
    uniqueNames: true,
    readyAtOnce: true,
  },
  {
    type: "digitalocean:LoadBalancer",
    collection: "/v2/load_balancers",
    properties: (name) => ({ name, region: "nyc3", tag: "web", forwarding_rules: [rule(80)] }),
    changed: (name) => ({ name, region: "nyc3", tag: "web", forwarding_rules: [rule(81)] }),
    missingId: "5a4981aa-9653-4bd1-bef5-d6bff52042e4",
    uniqueNames: true,
  },
];

for (const { collection, ...subject } of subjects)
  describe(`the conformance of ${subject.type}`, () => {
    providerConformance({
      ...subject,
      provider: digitaloceanProvider(),
      refusals,
      cloud: (script) =>
        describedConformanceCloud(
          collection,
          script,
          (options) => digitaloceanCloud(description, options),
          (name, at) => ({
            ...subject.properties(name),
            name: foreignName(name, at, subject.uniqueNames),
          }),
        ),
    });
  });
