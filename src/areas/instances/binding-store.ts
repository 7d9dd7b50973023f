import { type SQL, sql } from "drizzle-orm";
import type { Call } from "#kernel/call/call.ts";
import type { Dependent } from "#kernel/call/dependents.ts";
import type { Write } from "#kernel/call/unit-of-work.ts";
import type { Statement } from "#platform/db/client.ts";
import { type Instance, instanceBindings, instances } from "#schema/instances.ts";
import { type Link, MAX_LINKS } from "./bindings.ts";

const b = instanceBindings;

/** The instances that a body names, if they are in the caller's scope. */
export function findNamed(call: Call, ids: readonly string[]) {
  return call.db
    .select({ id: instances.id, tenantId: instances.tenantId, name: instances.name })
    .from(instances)
    .where(
      // `+` rules out an index by tenant that has all these columns: it would read all the tenant's instances.
      sql`${instances.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
        AND +${call.inScope(instances.tenantId)}`,
    );
}

/** The bindings of these instances, of the instances they read, and so on upstream. */
export function findLinksAbove(call: Call, ids: readonly string[]): Statement {
  return findLinks(call, ids, {
    from: sql`b.reader_id`,
    to: sql`b.upstream_id`,
  });
}

/** The bindings to this instance, to the instances that read it, and so on downstream. */
export function findLinksBelow(call: Call, id: string): Statement {
  return findLinks(call, [id], { from: sql`b.upstream_id`, to: sql`b.reader_id` });
}

/**
 * Walks from `from` to `to` within each tenant. CROSS JOIN fixes the join order: the walk first, then the
 * table.
 */
function findLinks(call: Call, ids: readonly string[], { from, to }: { from: SQL; to: SQL }) {
  return call.db.all<Link>(sql`WITH RECURSIVE walked(id, tenant_id) AS (
      SELECT ${instances.id}, ${instances.tenantId} FROM ${instances}
        WHERE ${instances.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
          AND +${call.inScope(instances.tenantId)}
      UNION
      SELECT ${to}, b.tenant_id FROM walked CROSS JOIN ${b} b
        ON b.tenant_id = walked.tenant_id AND ${from} = walked.id
      LIMIT ${MAX_LINKS})
    SELECT DISTINCT b.reader_id AS reader, b.upstream_id AS upstream, coalesce(i.name, b.upstream_id) AS name
    FROM walked CROSS JOIN ${b} b ON b.tenant_id = walked.tenant_id AND ${from} = walked.id
    LEFT JOIN ${instances} i ON i.id = b.upstream_id AND i.tenant_id = b.tenant_id
    LIMIT ${MAX_LINKS}`);
}

/** At most six instances that read this instance's outputs. */
export function findReaders(call: Call, id: string) {
  // `+` rules out an index by tenant: it would read all the tenant's instances.
  return call.db
    .all<Dependent>(sql`SELECT DISTINCT 'instance' AS kind, i.name AS name, i.id AS id FROM ${b} b
    CROSS JOIN ${instances} i ON i.id = b.reader_id AND +i.tenant_id = b.tenant_id
    WHERE b.upstream_id = ${id} AND b.tenant_id = (SELECT ${instances.tenantId} FROM ${instances}
      WHERE ${instances.id} = ${id} AND ${call.inScope(instances.tenantId)})
    ORDER BY i.id LIMIT 6`);
}

export function requireNoReaders(call: Call, { id, tenantId }: Pick<Instance, "id" | "tenantId">) {
  return call.require(
    "in_use",
    sql`NOT EXISTS (SELECT 1 FROM ${b} b WHERE b.tenant_id = ${tenantId} AND b.upstream_id = ${id})`,
  );
}

/**
 * Writes an instance's bindings to the table that is searched from the upstream side. `named`: the newly bound
 * instances. The commit throws `not_found` if one of them was deleted meanwhile, and `conflict` if another commit has
 * just bound one of them to this instance. So of several commits that close a circle together, the last one fails.
 */
export function bindingWrites(
  call: Call,
  { id, tenantId, bindings }: Pick<Instance, "id" | "tenantId" | "bindings">,
  named: readonly string[] = [],
): Write[] {
  const rows = Object.entries(bindings).map(([name, { instanceId, output }]) => [
    name,
    instanceId,
    output,
  ]);
  const ids = [...new Set(named)];
  return [
    call.write(
      tenantId,
      call.db.run(sql`DELETE FROM ${b} WHERE tenant_id = ${tenantId} AND reader_id = ${id}`),
    ),
    ...(rows.length === 0
      ? []
      : [
          call.write(
            tenantId,
            call.db.run(sql`INSERT INTO ${b} (tenant_id, reader_id, variable, upstream_id, output)
            SELECT ${tenantId}, ${id}, json_extract(value, '$[0]'), json_extract(value, '$[1]'),
              json_extract(value, '$[2]') FROM json_each(${JSON.stringify(rows)})`),
          ),
        ]),
    ...(ids.length === 0
      ? []
      : [
          call.require(
            "not_found",
            sql`(SELECT count(*) FROM ${instances} WHERE ${instances.tenantId} = ${tenantId}
              AND ${instances.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))) = ${ids.length}`,
          ),
          call.require(
            "conflict",
            sql`NOT EXISTS (WITH RECURSIVE walked(id) AS (
                SELECT b.upstream_id FROM ${b} b WHERE b.tenant_id = ${tenantId} AND b.reader_id = ${id}
                UNION
                SELECT b.upstream_id FROM walked CROSS JOIN ${b} b
                  ON b.tenant_id = ${tenantId} AND b.reader_id = walked.id)
              SELECT 1 FROM walked WHERE id = ${id})`,
          ),
        ]),
  ];
}

export function removeBindings(call: Call, { id, tenantId }: Pick<Instance, "id" | "tenantId">) {
  return call.write(
    tenantId,
    call.db.run(sql`DELETE FROM ${b} WHERE tenant_id = ${tenantId} AND reader_id = ${id}`),
  );
}

/** The distinct instances that a body's bindings name. */
export function namedIn(
  bindings: { [variable: string]: { instanceId: string } | null } | undefined,
): string[] {
  return [
    ...new Set(Object.values(bindings ?? {}).flatMap((it) => (it === null ? [] : [it.instanceId]))),
  ];
}
