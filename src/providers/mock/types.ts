import type { RestType } from "#providers/rest-type.ts";

function row(kind: string, immutable: readonly string[]): RestType {
  return {
    path: `/v1/${kind}`,
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

export const mockTypes = {
  Network: row("networks", ["cidr"]),
  Server: row("servers", ["image"]),
  Database: row("databases", ["engine"]),
  Bucket: row("buckets", []),
  Record: row("records", []),
} as const satisfies Readonly<Record<string, RestType>>;
