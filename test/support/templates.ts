/** Sample templates, and readers of their answers. */
import { env } from "cloudflare:workers";
import type { TestTenant } from "#test/support/api.ts";

export const SOURCE = `name: web
runtime: yaml
config:
  cidr: { type: string, default: 10.0.0.0/16 }
  password: { type: string, secret: true, minLength: 12 }
resources:
  net: { type: "mock:Network", properties: { name: web, cidr: "\${cidr}" } }
  db:
    type: mock:Database
    properties: { name: "\${net.name}-db", password: "\${password}" }
outputs:
  network: \${net.id}
  database: \${db.id}
`;
export const BROKEN = `resources:
  net: { type: "mock:Netwrk", properties: { name: web } }
  db: { type: "mock:Database", properties: { name: "\${nett.id}" } }
`;

/** A source that uses a template of `SOURCE` as a component. */
export const usingComponent = (component: string, range = "*"): string => `name: site
runtime: yaml
config: { password: { type: string, secret: true } }
resources:
  web: { component: "${component}", version: "${range}", properties: { password: "\${password}" } }
outputs:
  network: \${web.network}
`;

export async function makeTemplate(client: { post: TestTenant["post"] }, more: object = {}) {
  const made = await client.post("/templates", { name: "web", ...more });
  if (made.status !== 201) throw new Error(`No template: ${made.text}`);
  return made;
}

export const codesOf = (list: { code: string }[]): string[] => list.map(({ code }) => code);
/** Valid YAML with exactly this many characters. */
export const sourceOf = (length: number): string => "name: a\n#".padEnd(length, "x");

/** The kinds and sequences of a template's events, in order. */
export async function eventsOf(templateId: string): Promise<[string, number][]> {
  const { results } = await env.DB.prepare(
    "SELECT type, payload FROM events WHERE resource_id = ? ORDER BY payload ->> '$.sequence'",
  )
    .bind(templateId)
    .all<{ type: string; payload: string }>();
  return results.map(({ type, payload }) => [type, JSON.parse(payload).sequence]);
}
