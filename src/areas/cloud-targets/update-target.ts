import type * as z from "zod";
import { mergeLabels } from "#http/labels.ts";
import { personOf } from "#kernel/access/access.ts";
import { withAuthor } from "#kernel/access/authors.ts";
import { defaultSafeguards, requireMayLower } from "#kernel/access/safeguards.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { MAX_LISTED_MAP_BYTES, requireFits } from "#kernel/limits/require-fits.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { notifyGate } from "#orchestrator/client/notify-runner.ts";
import { canonicalJson } from "#platform/json.ts";
import { mergePatch } from "#platform/merge-patch.ts";
import { folded } from "#platform/text/folded.ts";
import { type CloudTarget, cloudTargets } from "#schema/cloud-targets.ts";
import type { UpdateTargetBody } from "./contract.ts";
import { getTarget } from "./read-targets.ts";
import { requireConfig } from "./require-config.ts";
import { setTarget } from "./store.ts";
import { tagged, type TaggedTarget } from "./target-identity.ts";
import { requireOwnTarget, requireUsable } from "./usable-target.ts";

/** The fields that do not affect deployments. */
const notTaken: ReadonlySet<string> = new Set(["labels", "maxConcurrentDeployments"]);

/**
 * Changes the fields in the body; an empty body changes nothing, not even the version. A change of the
 * credential, the config or the default region resets the verification. A change from production lowers the default
 * approval mode of the target's instances.
 */
export async function updateTarget(
  call: Call,
  id: string,
  body: z.output<typeof UpdateTargetBody>,
): Promise<TaggedTarget> {
  const before = await getTarget(call, id);
  requireOwnTarget(call, before);
  call.expectVersion(tagged(before, call.env).version);
  const changed = Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field);
  if (changed.length === 0) return tagged(before, call.env);
  const named: CloudTarget = {
    ...before,
    name: body.name ?? before.name,
    searchText: folded(body.name ?? before.name),
    labels: body.labels === undefined ? before.labels : mergeLabels(before.labels, body.labels),
    environment: body.environment ?? before.environment,
    config: body.config === undefined ? before.config : mergePatch(before.config, body.config),
    credentialRef: body.credentialRef === undefined ? before.credentialRef : body.credentialRef,
    allowedRegions: body.allowedRegions ?? before.allowedRegions,
    defaultRegion: body.defaultRegion ?? before.defaultRegion,
    maxConcurrentDeployments: body.maxConcurrentDeployments ?? before.maxConcurrentDeployments,
  };
  requireUsable(named);
  // A stored config that a later release refuses must not block changes of other fields.
  if (body.config !== undefined) requireConfig(named.provider, named.config);
  requireMayLower(call.actor, before.tenantId, defaultSafeguards(before), defaultSafeguards(named));
  requireFits(named.config, "`config`", MAX_LISTED_MAP_BYTES);
  const version = before.version + 1;
  const after: CloudTarget = {
    ...named,
    verification: reachesTheSame(before, named) ? before.verification : "UNVERIFIED",
    authors: changed.some((field) => !notTaken.has(field))
      ? withAuthor(before.authors, personOf(call.actor), { version })
      : before.authors,
    version,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: before.tenantId, type: "cloud_target", id };
  const { provider, environment } = after;
  return call.commit(tagged(after, call.env), [
    call.requireVersion(cloudTargets, before),
    setTarget(call, before, after),
    audit("cloud_target.update", resource, { before, after }),
    event(
      "target.updated",
      { ...resource, sequence: after.version },
      { provider, environment, changed },
    ),
    ...(after.maxConcurrentDeployments === before.maxConcurrentDeployments
      ? []
      : [notifyGate(after)]),
  ]);
}

function reachesTheSame(before: CloudTarget, after: CloudTarget): boolean {
  return (
    before.credentialRef === after.credentialRef &&
    before.defaultRegion === after.defaultRegion &&
    canonicalJson(before.config) === canonicalJson(after.config)
  );
}
