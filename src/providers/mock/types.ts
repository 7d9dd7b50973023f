import type { PropertyFacts } from "#providers/provider.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { restTypes } from "#providers/rest/rest-types.ts";

type Properties = Readonly<Record<string, PropertyFacts>>;

/** What objects of each kind have in common. The mock cloud keeps any further property as it is. */
const common: Properties = {
  name: { type: "string", description: "What the object is called; at most 255 characters." },
  region: { type: "string", description: "Where the object is. Any text." },
  tags: { type: "array", description: "Texts to find the object by." },
};

const network: PropertyFacts = {
  type: "string",
  description: "The id of the network that the object is in.",
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
    properties: { ...common, ...properties },
    regionProperty: "region",
    update: "PATCH",
    envelope: { list: "data" },
    nameProperty: "name",
    required: ["name"],
    immutable,
    ready: { path: "status", values: ["ready"], fail: ["failed"] },
    find: { by: "name", query: "name" },
    idempotency: { header: "idempotency-key" },
    pollMs: 250,
  };
}

export const mockRows = {
  Network: row(
    "networks",
    "A private network of the mock cloud.",
    {
      cidr: { type: "string", description: "Its range of addresses, e.g. 10.0.0.0/16." },
    },
    ["cidr"],
  ),
  Server: row(
    "servers",
    "A virtual machine of the mock cloud.",
    {
      image: { type: "string", description: "What it starts from." },
      size: { type: "string", description: "How large it is." },
      network,
      environment: { type: "object", description: "Environment variables of its program." },
    },
    ["image"],
  ),
  Database: row(
    "databases",
    "A database of the mock cloud.",
    {
      engine: { type: "string", description: "The kind of database and its version." },
      size: { type: "string", description: "How large it is." },
      network,
      password: { type: "string", description: "The administrator's password." },
    },
    ["engine"],
  ),
  Bucket: row("buckets", "A store of objects of the mock cloud.", {
    public: { type: "boolean", description: "Whether everybody may read it." },
  }),
  Record: row("records", "A name of the mock cloud's DNS.", {
    target: { type: "string", description: "The id of the object that it points at." },
    ttl: { type: "integer", description: "Seconds for which it may be kept." },
  }),
} as const satisfies Readonly<Record<string, RestType>>;

export const mockTypes = restTypes("mock", mockRows);
