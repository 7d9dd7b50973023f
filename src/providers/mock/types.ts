import type { PropertyFacts } from "#providers/provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { type RestRows, restTypes } from "#providers/rest/rest-types.ts";

type Properties = Readonly<Record<string, PropertyFacts>>;

/** Properties common to all kinds. The mock cloud also stores any other property unchanged. */
const common: Properties = {
  name: { type: "string", description: "The object's name; at most 255 characters." },
  region: { type: "string", description: "The object's region. Any string." },
  tags: { type: "array", description: "Tags of the object." },
};

const network: PropertyFacts = {
  type: "string",
  description: "The id of the object's network.",
};

function row(
  kind: string,
  description: string,
  properties: Properties,
  immutable: readonly string[] = [],
): RestType {
  return {
    path: `/v1/${kind}`,
    description,
    takes: { properties: { ...common, ...properties }, required: ["name"] },
    outputs: ["id", "status"],
    region: {
      property: "region",
      // The mock cloud chooses no region: without one, an object is in none.
      elsewhere: true,
    },
    update: "PATCH",
    envelope: { list: "data" },
    name: { property: "name" },
    immutable,
    state: { path: "status", ready: ["ready"], fail: ["failed"] },
    find: { by: "name", query: "name" },
    create: { token: { header: "idempotency-key", lifeMs: Number.POSITIVE_INFINITY } },
    timing: { pollMs: 250 },
  };
}

export function mockRows() {
  return {
    Network: row(
      "networks",
      "A private network of the mock cloud.",
      {
        cidr: { type: "string", description: "The address range, for example 10.0.0.0/16." },
      },
      ["cidr"],
    ),
    Server: row(
      "servers",
      "A virtual machine of the mock cloud.",
      {
        image: { type: "string", description: "The image to boot from." },
        size: { type: "string", description: "The size." },
        network,
        environment: { type: "object", description: "Environment variables." },
      },
      ["image"],
    ),
    Database: row(
      "databases",
      "A database of the mock cloud.",
      {
        engine: { type: "string", description: "The database engine and version." },
        size: { type: "string", description: "The size." },
        network,
        password: { type: "string", description: "The administrator's password." },
      },
      ["engine"],
    ),
    Bucket: row("buckets", "An object storage bucket of the mock cloud.", {
      public: { type: "boolean", description: "Whether the bucket is publicly readable." },
    }),
    Record: row("records", "A DNS record of the mock cloud.", {
      target: { type: "string", description: "The id of the object that the record points to." },
      ttl: { type: "integer", description: "Time to live in seconds." },
    }),
    /** Nested bodies, a size that a call of its own changes, a set, and a secret among the outputs. */
    Service: {
      ...row(
        "services",
        "A managed service of the mock cloud.",
        {
          settings: {
            type: "object",
            description:
              "Settings. A change of `tier` replaces the service; `labels` and everything else change in place.",
          },
          size: { type: "string", description: "The size. A resize is in place." },
          rules: { type: "array", description: "Rules of access, in any order." },
        },
        ["settings.tier"],
      ),
      outputs: ["id", "status", "connection"],
      update: "MERGE",
      parts: [{ properties: ["size"], method: "POST", path: "/v1/services/{id}/resize" }],
      read: { further: [{ path: "/v1/services/{id}/connection", to: "connection" }] },
      secretOutputs: ["connection.uri"],
      compare: { sets: ["rules"] },
    },
  } as const satisfies RestRows;
}

export const mockTypes = restTypes("mock", mockRows);
