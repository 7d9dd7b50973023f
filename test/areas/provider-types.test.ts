/** Types of providers that are rows alone: the list names each, and the schema for editors has its properties. */
import { type Schema, Validator } from "@cfworker/json-schema";
import { expect, it } from "vitest";
import { makeTenant } from "#test/support/api.ts";

const tenant = await makeTenant();

/** How many types each has, and one of them. */
const known = [
  ["vultr", 22, "vultr:BareMetal"],
  ["magalu", 22, "magalu:SubnetPool"],
  ["render", 14, "render:KeyValue"],
  ["vercel", 13, "vercel:EdgeConfigToken"],
  ["supabase", 14, "supabase:ThirdPartyAuth"],
  ["coreweave", 13, "coreweave:PersistentVolumeClaim"],
] as const;

async function typesOf(provider: string): Promise<string[]> {
  const types: string[] = [];
  for (let cursor = ""; ;) {
    const { body } = await tenant.get(
      `/cloud/providers/${provider}/types?limit=7${cursor && `&cursor=${cursor}`}`,
    );
    for (const { type, knowledge } of body.data as { type: string; knowledge: string }[]) {
      expect([type, knowledge]).toEqual([type, "verified"]);
      types.push(type);
    }
    if (body.nextCursor === null) return types;
    cursor = encodeURIComponent(body.nextCursor as string);
  }
}

it.for(known)(
  "%s has its %i types in the list and in the schema",
  async ([provider, count, one]) => {
    const types = await typesOf(provider);
    expect(types).toHaveLength(count);
    expect(types).toContain(one);
    const { body } = await tenant.get(`/templates/schema?types=${types.join(",")}`);
    const validator = new Validator(body as Schema, "2020-12");
    const isValid = (type: string) => validator.validate({ resources: { r: { type } } }).valid;
    for (const type of types) {
      expect([type, isValid(`${type}s`)]).toEqual([type, false]);
      const { body: found } = await tenant.post("/templates/validate", {
        source: JSON.stringify({
          resources: { r: { type, properties: { no_such_property: 1 } } },
          outputs: { o: "${r.no_such_output}" },
        }),
      });
      const codes = (found.diagnostics as { code: string }[]).map(({ code }) => code);
      expect([type, codes]).toEqual([
        type,
        expect.arrayContaining(["unknown_property", "unknown_output"]),
      ]);
    }
  },
);
