import type * as z from "zod";
import { findTenant } from "#areas/tenants/public.ts";
import { owningTenant } from "#platform/access.ts";
import { audit } from "#platform/audit.ts";
import type { Call } from "#platform/call.ts";
import { ApiError, type ErrorCode, notFound } from "#platform/errors.ts";
import { event } from "#platform/outbox.ts";
import type { CreateTargetBody } from "./contract.ts";
import { credentialRefProblem } from "#providers/credential.ts";
import { allowsRegion } from "./regions.ts";
import { type CloudTarget, cloudTargets } from "./tables.ts";

export async function createTarget(
  call: Call,
  body: z.output<typeof CreateTargetBody>,
): Promise<CloudTarget> {
  const [[tenant]] = await call.read(findTenant(call, body.tenantId ?? ""));
  const tenantId = owningTenant(call.actor, body.tenantId);
  if (body.tenantId !== undefined && tenant === undefined) throw notFound("tenant");
  demandUsable(body, tenantId);
  const target: CloudTarget = {
    ...body,
    id: call.newId(),
    tenantId,
    credentialRef: body.credentialRef ?? null,
    version: 1,
    createdAtMs: call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId, type: "cloud_target", id: target.id };
  const { provider, environment } = target;
  return call.commit(target, [
    call.db.insert(cloudTargets).values(target),
    audit("cloud_target.create", resource, { after: target }),
    event("target.created", { ...resource, sequence: 1 }, { provider, environment }),
  ]);
}

function demandUsable(body: z.output<typeof CreateTargetBody>, tenantId: string): void {
  const { credentialRef, allowedRegions, defaultRegion } = body;
  const problem =
    credentialRef === undefined ? undefined : credentialRefProblem(credentialRef, tenantId);
  if (problem !== undefined) throw refusal("credential_unavailable", "credentialRef", problem);
  if (!allowsRegion(allowedRegions, defaultRegion))
    throw refusal(
      "validation_failed",
      "defaultRegion",
      "The default region is not among the allowed regions. Add it to them or choose one of them.",
    );
}

function refusal(code: ErrorCode, field: string, detail: string): ApiError {
  return new ApiError(code, detail, {
    faults: [{ in: "body", pointer: `/${field}`, code: "not_allowed", detail }],
  });
}
