/** The reads of a rollback: the deployment to leave, the deployment to return to, and the sources of its inputs. */
import { type SQL, sql } from "drizzle-orm";
import { goodBefore } from "#areas/deployment-records/public.ts";
import { ofInstance } from "#areas/instances/public.ts";
import type { Call } from "#kernel/call/call.ts";
import { type DeploymentInputs, deployments } from "#schema/deployments.ts";
import { instances } from "#schema/instances.ts";
import { profiles } from "#schema/profiles.ts";
import { templateVersions } from "#schema/templates.ts";
import { instanceOf, ofDeployment } from "./store.ts";

const newestGood = sql`${goodBefore} ORDER BY g.id DESC LIMIT 1`;

/** The deployment to leave. `good`: the inputs of the deployment to return to; null: there is none. */
export function findLeft(call: Call, id: string) {
  return call.db
    .select({
      tenantId: deployments.tenantId,
      operation: deployments.operation,
      state: deployments.state,
      good: sql<DeploymentInputs | null>`(SELECT g.inputs ${newestGood})`
        .mapWith((text: string) => JSON.parse(text) as DeploymentInputs)
        .as("good"),
    })
    .from(deployments)
    .where(sql`${deployments.id} = ${id} AND ${call.inScope(deployments.tenantId)}`);
}

export function findVersionThen(call: Call, id: string) {
  return call.db
    .select({ number: templateVersions.number, authors: templateVersions.authors })
    .from(templateVersions)
    .where(
      sql`${templateVersions.templateId} = ${ofInstance(call, instanceOf(call, id), instances.templateId)}
        AND ${templateVersions.number} = ${takenThen(call, id, "$.template.version")}
        AND ${call.inScopeOrPlatform(templateVersions.tenantId)}`,
    );
}

export function findUpstreamsThen(call: Call, id: string) {
  return call.db
    .select({ id: instances.id, outputHashes: instances.outputHashes })
    .from(instances)
    .where(
      sql`${call.inScope(instances.tenantId)}
        AND ${instances.tenantId} = ${ofDeployment(call, id, sql`${deployments.tenantId}`)}
        AND ${instances.id} IN (SELECT json_extract(b.value, '$.instanceId')
          FROM json_each(${takenThen(call, id, "$.given.bindings")}) b)`,
    );
}

export function findProfileThen(call: Call, id: string) {
  return call.db
    .select({ id: profiles.id })
    .from(profiles)
    .where(
      sql`${profiles.id} = ${takenThen(call, id, "$.given.profileId")}
        AND ${call.inScopeOrPlatform(profiles.tenantId)}`,
    );
}

/** A part of the inputs of the deployment to return to. */
function takenThen(call: Call, id: string, path: string): SQL {
  return ofDeployment(call, id, sql`(SELECT json_extract(g.inputs, ${path}) ${newestGood})`);
}
