import type * as z from "zod";
import { enforcePlanLimit, tenantOfNew } from "#areas/tenants/public.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { MAX_LISTED_MAP_BYTES, requireFits } from "#kernel/limits/require-fits.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { folded } from "#platform/text/folded.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import type { CreateTargetBody } from "./contract.ts";
import { requireConfig } from "./require-config.ts";
import { tagged, type TaggedTarget } from "./target-identity.ts";
import { requireUsable } from "./usable-target.ts";

export async function createTarget(
  call: Call,
  body: z.output<typeof CreateTargetBody>,
): Promise<TaggedTarget> {
  const tenantId = await tenantOfNew(call, body.tenantId);
  requireUsable({ ...body, credentialRef: body.credentialRef ?? null, tenantId });
  requireConfig(body.provider, body.config);
  requireFits(body.config, "`config`", MAX_LISTED_MAP_BYTES);
  const target: CloudTarget = {
    ...body,
    id: call.newId(),
    tenantId,
    searchText: folded(body.name),
    credentialRef: body.credentialRef ?? null,
    verification: "UNVERIFIED",
    verifiedAtMs: null,
    authors: {},
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "cloud_target", id: target.id };
  const { provider, environment } = target;
  return call.commit(tagged(target, call.env), [
    ...(await enforcePlanLimit(call, "targets", tenantId, cloudTargets)),
    call.write(target.tenantId, call.db.insert(cloudTargets).values(target)),
    audit("cloud_target.create", resource, { after: target }),
    event("target.created", { ...resource, sequence: 1 }, { provider, environment }),
  ]);
}
