import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { event } from "#kernel/outbox/outbox.ts";
import { prepared, writer } from "#platform/db/client.ts";
import { type UnitContext, unitOfWork, type Write } from "./unit-of-work.ts";

const resource = { tenantId: "t", id: "r", sequence: 1 };
const row = (name: string): Write => ({
  write: "row",
  tenantId: "t",
  statement: writer.run(sql`UPDATE x SET name = ${name}`),
});
const guardOf = (code: string): Write => ({ write: "guard", code, holds: sql`${code} = ${code}` });

/** The parameters of each statement of the batch, as one text. */
async function batchOf(writes: readonly Write[], more: Partial<UnitContext> = {}) {
  let made = 0;
  const { statements, ...unit } = await unitOfWork(writes, {
    db: writer,
    env: { PUBLIC_URL: "" },
    atMs: 0,
    newId: () => `event ${(made += 1)}`,
    requestId: "q",
    traceFor: () => undefined,
    hops: undefined,
    actor: () => {
      throw new Error("There is no audit entry");
    },
    callerHolds: undefined,
    limits: [],
    ...more,
  });
  const params = statements.map((one) => prepared(one).getQuery().params);
  return { ...unit, params, bound: params.map((some) => some.join(" ")) };
}

it("begins with one guard for the caller and the use case's first guards, the caller first, before the answer", async () => {
  const { bound, answerAt } = await batchOf(
    [guardOf("first"), guardOf("second"), row("a"), guardOf("last")],
    { callerHolds: sql`${"caller"} = 1` },
  );
  expect(answerAt).toBe(1);
  expect(bound).toHaveLength(3);
  expect(bound[0]).toMatch(/^caller .*unauthenticated.* first .* second/);
  expect(bound[1]).toBe("a");
  expect(bound[2]).toMatch(/^last /);
});

it("checks first whether the object was changed, whatever the use case's other guards", async () => {
  const { bound } = await batchOf([guardOf("in_use"), guardOf("conflict"), guardOf("not_found")], {
    callerHolds: sql`${"caller"} = 1`,
  });
  expect(bound[0]).toMatch(/^caller .* conflict .* in_use .* not_found/);
});

it("splits guards and events before a statement exceeds D1's parameters", async () => {
  const guards = Array.from({ length: 12 }, (_, at) => guardOf(`guard${at}`));
  const events = Array.from({ length: 12 }, () => event("template.created", resource));
  const { params, answerAt } = await batchOf([...guards, ...events]);
  expect(answerAt).toBe(3);
  for (const one of params) expect(one.length).toBeLessThan(100);
});

it("writes events together, but those that depend on rows in the use case's order", async () => {
  const conditional = event("license.limit_reached", resource, {}, { condition: sql`${"when"}` });
  const late = event("instance.updated", { ...resource, sequence: sql`${"version"}` });
  const { bound, deliveriesAt } = await batchOf([
    conditional,
    row("a"),
    event("template.created", resource),
    late,
  ]);
  expect(deliveriesAt).toBe(3);
  expect(bound[0]).toMatch(/license\.limit_reached.* when .*template\.created/);
  expect(bound[1]).toBe("a");
  expect(bound[2]).toMatch(/instance\.updated.* version/);
});
