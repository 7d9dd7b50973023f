import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import { tagged } from "./feature-flag.ts";
import { getFeatureFlag } from "./read-feature-flags.ts";
import { removeFeatureFlag, requireFlagVersion } from "./store.ts";

export async function deleteFeatureFlag(call: Call, key: string): Promise<void> {
  const before = await getFeatureFlag(call, key);
  call.expectVersion(tagged(before).version);
  const resource = { tenantId: PLATFORM, type: "feature_flag", id: before.id };
  await call.commit(undefined, [
    requireFlagVersion(call, before),
    removeFeatureFlag(call, before),
    audit("feature_flag.delete", resource, { before }),
    event("feature_flag.deleted", { ...resource, sequence: before.version + 1 }, { key }),
  ]);
}
