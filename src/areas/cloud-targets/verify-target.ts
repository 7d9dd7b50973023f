import { sql } from "drizzle-orm";
import { requireFor } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { one } from "#kernel/call/one.ts";
import { ApiError, notFound } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { verifyTarget as askProvider } from "#orchestrator/client/verify-target.ts";
import type { AccountNeeds, FailureMeaning } from "#providers/provider.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import { type TemplateSource, templateSources } from "#schema/pinned-sources.ts";
import { templateVersions } from "#schema/templates.ts";
import type { VerifyTargetBody } from "./contract.ts";
import { hintOnUnread } from "./require-config.ts";
import { findTarget, setTarget } from "./store.ts";
import { templateObjects } from "./template-objects.ts";
import { requireOwnTarget } from "./usable-target.ts";

export interface Verification {
  ok: boolean;
  message: string;
  means: FailureMeaning | null;
  permission: string | null;
  hint: string | null;
  /** What the account lacks for the template. Null: it was not looked at. */
  needs: AccountNeeds | null;
  atMs: number;
}

/**
 * Stores the provider's verdict on the credential. If the provider gives none, answers 502 and stores
 * nothing: the call can be repeated.
 */
export async function verifyTarget(
  call: Call,
  id: string,
  template: VerifyTargetBody,
): Promise<Verification> {
  const { templateId } = template;
  const [before, versions] = await call.read(
    one(findTarget(call, id), "cloud target"),
    findTemplateSources(call, template),
  );
  requireOwnTarget(call, before);
  if (templateId !== undefined) {
    const { actor } = call;
    const rights = { role: "CustomerViewer", scope: "templates:read" } as const;
    requireFor("A check with a template", rights, { actor, tenantId: before.tenantId });
    if (versions.length === 0) throw notFound("template version");
  }
  const target = { ...before, region: before.defaultRegion };
  const checkId = call.newId();
  const types = templateObjects(versions, before.defaultRegion);
  const verified = await askProvider(call.env, target, { checkId, trace: call.trace, types });
  if (verified === undefined)
    throw new ApiError(
      "invalid_state",
      `The provider ${before.provider} is not available in this installation yet, so the credential cannot be checked. GET /cloud/providers lists the available ones.`,
    );
  if ("kind" in verified) {
    const seconds = secondsOf(verified.afterMs);
    throw new ApiError(
      "rate_limited",
      `The deployments at the target ${before.name} use all the calls that ${before.provider} takes now. Nothing was sent. Try again in ${seconds} s.`,
      { headers: { "retry-after": String(seconds) } },
    );
  }
  if (!verified.ok && verified.retryable) {
    const { message, hint, afterMs } = verified;
    const seconds = afterMs === undefined ? undefined : secondsOf(afterMs);
    const again = seconds === undefined ? "Try again later." : `Try again in ${seconds} s.`;
    const headers: Record<string, string> =
      seconds === undefined ? {} : { "retry-after": String(seconds) };
    const detail = [message, hint, again].filter(Boolean).join(" ");
    throw new ApiError("provider_error", detail, { headers });
  }
  const after: CloudTarget = {
    ...before,
    verification: verified.ok ? "VERIFIED" : "FAILED",
    verifiedAtMs: call.now,
    version: before.version + 1,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "cloud_target", id };
  const { provider, environment } = before;
  const found: Verification = verified.ok
    ? {
        ok: true,
        message: "The credential works.",
        means: null,
        permission: null,
        hint: hintOnUnread(provider, before.config),
        needs: verified.needs ?? null,
        atMs: call.now,
      }
    : {
        ok: false,
        message: verified.message,
        means: verified.means ?? null,
        permission: verified.permission ?? null,
        hint: verified.hint ?? null,
        needs: null,
        atMs: call.now,
      };
  return call.commit(found, [
    call.requireVersion(cloudTargets, before),
    setTarget(call, before, after),
    audit("cloud_target.verify", resource, { before, after }),
    event(
      verified.ok ? "target.verified" : "target.verification_failed",
      { ...resource, sequence: after.version },
      { provider, environment, ...(verified.ok ? {} : { code: verified.code }) },
    ),
  ]);
}

function findTemplateSources(call: Call, { templateId = "", templateVersion }: VerifyTargetBody) {
  const v = templateVersions;
  const wanted =
    templateVersion === undefined
      ? sql`${v.deprecatedAtMs} IS NULL`
      : sql`${v.number} = ${templateVersion}`;
  return call.db.all<TemplateSource>(
    templateSources(
      sql`${v.templateId} = ${templateId} AND ${call.inScopeOrPlatform(v.tenantId)} AND ${wanted}`,
    ),
  );
}

function secondsOf(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
