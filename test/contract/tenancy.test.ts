import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { OPERATOR_KEY } from "#test/support/api.ts";
import { run } from "#test/support/cloud.ts";
import { ask } from "#test/support/declared.ts";
import { partOf } from "#test/support/depth.ts";
import { hearStatements, heardStatements } from "#test/support/heard-statements.ts";
import { unscopedStatements, unusedExceptions } from "#test/support/tenancy-guard.ts";
import { unscopedTables } from "#test/support/unscoped-tables.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeWorld,
  pathIn,
  sampleBody,
} from "#test/support/world.ts";
import worker from "#worker.ts";

answerEveryReceiver();

const t = new Set(["apples", "pears"]);

describe("unscopedTables", () => {
  it.each([
    ["a condition", 'select "id", "tenant_id" from "apples" where "apples"."tenant_id" = ?'],
    ["any tenant, said so", "SELECT id FROM apples WHERE apples.tenant_id IS NOT NULL AND id = ?"],
    ["an alias", "SELECT a.id FROM apples a WHERE (a.id = ? OR a.x = 1) AND a.tenant_id = ?"],
    ["a row value", "DELETE FROM apples WHERE (tenant_id, id) IN (SELECT 1, 2)"],
    ["an insert", "INSERT INTO apples (tenant_id, id) VALUES (?, ?)"],
    [
      "an insert of what is read",
      "INSERT INTO apples (tenant_id, id) SELECT tenant_id, id FROM pears p WHERE p.tenant_id = ?",
    ],
    ["another table", "SELECT * FROM plums WHERE id = ?"],
    [
      "a join",
      "SELECT 1 FROM apples a JOIN pears p ON p.tenant_id = a.tenant_id WHERE a.tenant_id = ?",
    ],
  ])("accepts %s", (_, statement) => {
    expect(unscopedTables(statement, t)).toEqual([]);
  });

  it.each([
    ["no condition", "SELECT tenant_id FROM apples"],
    [
      "an id alone",
      'select "id", "tenant_id" from "apples" where "apples"."id" = ? order by tenant_id',
    ],
    ["an update that only sets it", "UPDATE apples SET tenant_id = ? WHERE id = ?"],
    ["a delete", "DELETE FROM apples WHERE id = ?"],
    ["an insert without it", "INSERT INTO apples (id) VALUES (?)"],
    [
      "a subquery",
      "SELECT 1 FROM plums WHERE id IN (SELECT id FROM apples WHERE x = ?) AND tenant_id = ?",
    ],
    [
      "a condition of the subquery alone",
      "SELECT 1 FROM apples WHERE id = (SELECT id FROM pears WHERE tenant_id = ?)",
    ],
    [
      "one side of a union",
      "SELECT 1 FROM apples WHERE tenant_id = ? UNION ALL SELECT 1 FROM apples WHERE id = ?",
    ],
    ["a text that names it", "SELECT 1 FROM apples WHERE name = 'tenant_id'"],
    ["the other side of a join", "SELECT 1 FROM plums, apples a WHERE plums.tenant_id = ?"],
  ])("finds %s", (_, statement) => {
    expect(unscopedTables(statement, t)).toEqual(["apples"]);
  });
});

describe("every SQL statement of the service", () => {
  it("is scoped to tenants", { timeout: 120_000 }, async () => {
    hearStatements();
    // One world each: its last request deletes the tenant.
    for (const caller of partOf(["tenant", "operator"], 2)) {
      const world = await makeWorld();
      const key = caller === "tenant" ? world.tenant.key : OPERATOR_KEY;
      for (const operation of ["deploy", "destroy"] as const)
        await run(world.tenant, world.instanceId, operation);
      for (const endpoint of endpoints.filter(({ path }) => !path.includes("{")))
        await ask(endpoint, `${endpoint.path}?tenantId=${world.tenantId}`, {
          key,
          ...(endpoint.body === undefined
            ? {}
            : {
                body: JSON.stringify({ ...sampleBody(world, endpoint), tenantId: world.tenantId }),
              }),
        });
      for (const endpoint of deletesLast(endpoints))
        await ask(endpoint, pathIn(world, endpoint), {
          key,
          ...(endpoint.body === undefined
            ? {}
            : { body: JSON.stringify(sampleBody(world, endpoint)) }),
          headers: { "idempotency-key": crypto.randomUUID() },
        });
    }
    await worker.scheduled({ scheduledTime: Date.now(), cron: "* * * * *", noRetry() {} }, env);
    expect(heardStatements().length).toBeGreaterThan(40);
    expect(unscopedStatements()).toEqual([]);
    // Nothing that is no longer sent is still allowed.
    expect(unusedExceptions()).toEqual([]);
  });
});
