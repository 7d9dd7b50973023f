/** Vaults, their keys and secrets. A delete is a date, 30 days later: until then the object is pending, and counts as gone. */
import type { RestRows } from "#providers/rest/rest-types.ts";
import { ociRow, SCHEDULED } from "./oci-row.ts";

const VAULTS = "/20180608/vaults";
const KEYS = "/20180608/keys";
const SECRETS = "/20180608/secrets";
const MOVE = "/actions/changeCompartment";

/** The POST in place of a delete. */
const scheduled = (at: string) =>
  ({
    paths: {
      list: `${at}?compartmentId={compartmentId}&limit=100`,
      delete: `${at}/{id}/actions/scheduleDeletion`,
    },
    delete: { method: "POST", body: {} },
  }) as const;

const leaves = {
  says: "Oracle keeps it for 30 days, in which a person can cancel the deletion. A secret keeps its name until then.",
} as const;

export function secretRows(): RestRows {
  return {
    Vault: ociRow("kms", {
      about: "A vault for keys and secrets. Oracle deletes it 30 days after its delete.",
      facts: { leaves },
      at: VAULTS,
      ...scheduled(VAULTS),
      takes: "displayName vaultType externalKeyManagerMetadata",
      required: ["vaultType"],
      changes: "displayName",
      moves: MOVE,
      writeOnly: ["externalKeyManagerMetadata"],
      refers: { "externalKeyManagerMetadata.privateEndpointId": "any" },
      state: { ready: ["ACTIVE"], gone: SCHEDULED },
    }),
    Key: ociRow("vaultKeys", {
      about: "An encryption key in a vault. Oracle deletes it 30 days after its delete.",
      facts: { leaves },
      at: KEYS,
      ...scheduled(KEYS),
      takes:
        "displayName managementEndpoint keyShape protectionMode isAutoRotationEnabled autoKeyRotationDetails externalKeyReference",
      required: ["managementEndpoint", "keyShape"],
      changes: "displayName isAutoRotationEnabled autoKeyRotationDetails",
      moves: MOVE,
      unsent: ["managementEndpoint"],
      writeOnly: ["managementEndpoint", "externalKeyReference"],
      location: ["managementEndpoint"],
      refers: { managementEndpoint: "Vault" },
      state: { ready: ["ENABLED", "DISABLED"], gone: SCHEDULED },
    }),
    Secret: ociRow("vaults", {
      about:
        "A secret in a vault. Oracle deletes it 30 days after its delete, and keeps its name until then.",
      facts: { leaves },
      at: SECRETS,
      ...scheduled(SECRETS),
      takes:
        "secretName vaultId keyId description metadata secretContent secretRules rotationConfig replicationConfig enableAutoGeneration secretGenerationContext",
      required: ["vaultId", "keyId"],
      changes:
        "description metadata secretRules rotationConfig replicationConfig enableAutoGeneration secretGenerationContext",
      moves: MOVE,
      // Each content that is sent makes a version.
      parts: [
        {
          properties: ["secretContent"],
          method: "PUT",
          path: `${SECRETS}/{id}`,
          absent: "keep",
        },
      ],
      name: { property: "secretName", unique: true, rule: { maxLength: 255 } },
      region: { more: ["replicationConfig.replicationTargets[*].targetRegion"] },
      location: ["vaultId"],
      writeOnly: ["secretContent", "enableAutoGeneration"],
      refers: {
        vaultId: "Vault",
        keyId: "Key",
        "rotationConfig.targetSystemDetails": "any",
        "replicationConfig.replicationTargets[*].targetVaultId": "any",
        "replicationConfig.replicationTargets[*].targetKeyId": "any",
      },
      state: { ready: ["ACTIVE"], fail: ["FAILED"], gone: SCHEDULED },
    }),
  };
}
