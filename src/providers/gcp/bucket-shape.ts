/**
 * What is nested in a bucket. Google's other services refuse a name that they do not know; Cloud Storage, whose API is
 * older, may ignore it, so that a misspelling would deploy a bucket without what it says.
 */
import type { ObjectShape, ValueShape } from "#providers/provider.ts";
import { aFlag, aNumber, aText, group, listOf, someTexts } from "#providers/rest/fields.ts";

const times: ValueShape = { type: "string" };
/** Anything, such as numbers of 64 bits, which Google takes as text too. */
const some: ValueShape = {};

export function bucketShape(): ObjectShape {
  return {
    properties: {
      name: aText,
      location: aText,
      project: aText,
      storageClass: aText,
      rpo: aText,
      defaultEventBasedHold: aFlag,
      labels: some,
      // Its members are added to from time to time.
      encryption: some,
      versioning: group({ enabled: aFlag }),
      lifecycle: group({
        rule: listOf(
          group({
            action: group({ type: aText, storageClass: aText }),
            condition: group({
              age: aNumber,
              createdBefore: aText,
              customTimeBefore: aText,
              daysSinceCustomTime: aNumber,
              daysSinceNoncurrentTime: aNumber,
              isLive: aFlag,
              matchesPattern: aText,
              matchesPrefix: someTexts,
              matchesStorageClass: someTexts,
              matchesSuffix: someTexts,
              noncurrentTimeBefore: aText,
              numNewerVersions: aNumber,
            }),
          }),
        ),
      }),
      cors: listOf(
        group({
          maxAgeSeconds: aNumber,
          method: someTexts,
          origin: someTexts,
          responseHeader: someTexts,
        }),
      ),
      website: group({ mainPageSuffix: aText, notFoundPage: aText }),
      iamConfiguration: group({
        publicAccessPrevention: aText,
        uniformBucketLevelAccess: group({ enabled: aFlag, lockedTime: times }),
        bucketPolicyOnly: group({ enabled: aFlag, lockedTime: times }),
      }),
      logging: group({ logBucket: aText, logObjectPrefix: aText }),
      retentionPolicy: group({ retentionPeriod: some, effectiveTime: times, isLocked: aFlag }),
      softDeletePolicy: group({ retentionDurationSeconds: some, effectiveTime: times }),
      autoclass: group({
        enabled: aFlag,
        terminalStorageClass: aText,
        toggleTime: times,
        terminalStorageClassUpdateTime: times,
      }),
      customPlacementConfig: group({ dataLocations: someTexts }),
      hierarchicalNamespace: group({ enabled: aFlag }),
      billing: group({ requesterPays: aFlag }),
    },
  };
}
