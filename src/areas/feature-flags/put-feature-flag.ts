import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { PLATFORM } from "#platform/ids.ts";
import { canonicalJson, type Json } from "#platform/json.ts";
import type { FeatureFlag } from "#schema/feature-flags.ts";
import { type FlagDefinition, tagged, type TaggedFlag } from "./feature-flag.ts";
import {
  countFeatureFlags,
  findFeatureFlag,
  insertFeatureFlag,
  MAX_FLAGS,
  updateFeatureFlag,
  requireFlagVersion,
  enforceFlagLimit,
} from "./store.ts";

/** Creates the flag or replaces its definition. If two callers create it at once, the second replaces it. */
export async function putFeatureFlag(
  call: Call,
  key: string,
  definition: FlagDefinition,
): Promise<TaggedFlag> {
  const [[before], [count]] = await call.read(findFeatureFlag(call, key), countFeatureFlags(call));
  call.expectVersion(before && tagged(before).version);
  if (before !== undefined && sameDefinition(before, definition)) return tagged(before);
  if (before === undefined && (count?.flags ?? 0) >= MAX_FLAGS)
    throw new ApiError(
      "quota_exceeded",
      `There are ${MAX_FLAGS} feature flags, which is the maximum. Delete flags that are no longer used.`,
    );
  const flag: FeatureFlag = {
    id: before?.id ?? call.newId(),
    key,
    ...definition,
    version: (before?.version ?? 0) + 1,
    createdAtMs: before?.createdAtMs ?? call.now,
    updatedAtMs: call.now,
  };
  const resource = { tenantId: PLATFORM, type: "feature_flag", id: flag.id };
  const told = [
    audit("feature_flag.put", resource, {
      ...(before === undefined ? {} : { before }),
      after: flag,
    }),
    event(
      "feature_flag.updated",
      { ...resource, sequence: flag.version },
      { key, enabled: flag.enabled, flagUrl: `/api/v1/feature-flags/${key}` },
    ),
  ];
  if (before === undefined)
    return call.commit(
      tagged(flag),
      [enforceFlagLimit(call), insertFeatureFlag(call, flag), ...told],
      {
        "feature_flags.key": new ApiError(
          "conflict",
          "The flag was created at the same time. Try again.",
        ),
      },
    );
  return call.commit(tagged(flag), [
    requireFlagVersion(call, before),
    updateFeatureFlag(call, flag),
    ...told,
  ]);
}

function sameDefinition(flag: FeatureFlag, definition: FlagDefinition): boolean {
  const text = ({ type, enabled, variants, defaultVariant, rules }: FlagDefinition): string =>
    canonicalJson(
      JSON.parse(JSON.stringify({ type, enabled, variants, defaultVariant, rules })) as Json,
    );
  return text(flag) === text(definition);
}
