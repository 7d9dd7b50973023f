import type { ArmRows } from "./arm-row.ts";

/** Identities and their roles, secrets, logs and alerts. */
export function accountRows(): ArmRows {
  return {
    "Microsoft.Resources/resourceGroups": {
      version: "2025-04-01",
      about: "A resource group. It is deleted only when nothing is left in it.",
      top: "managedBy",
      nameRule: { maxLength: 90 },
      timing: { deleteMinutes: 120 },
    },
    "Microsoft.ManagedIdentity/userAssignedIdentities": {
      version: "2024-11-30",
      about: "An identity for services, without a key.",
      readOnly: ["properties.tenantId", "properties.principalId", "properties.clientId"],
      nameRule: { maxLength: 128, letterFirst: true },
      state: "none",
    },
    "Microsoft.Authorization/roleAssignments": {
      deleteFirst: true,
      version: "2022-04-01",
      about: "Gives a principal a role on its scope. The name is a UUID.",
      location: "none",
      mark: "none",
      extension: true,
      required: ["properties"],
      immutable: ["properties"],
      readOnly: ["properties.scope", "properties.createdOn", "properties.createdBy"],
      state: "none",
      timing: { createMinutes: 5 },
    },
    "Microsoft.OperationalInsights/workspaces": {
      version: "2026-03-01",
      about:
        "A Log Analytics workspace. Azure keeps a deleted one for 14 days, and a create of its name recovers it with its logs.",
      facts: {
        leaves: {
          says: "Azure keeps the workspace with its logs for 14 days, and a create of its name recovers it. To leave nothing, delete it before the destroy: `az monitor log-analytics workspace delete --force`.",
        },
      },
      top: "identity",
      region: { more: ["properties.replication.location"] },
      readOnly: ["properties.customerId", "properties.createdDate", "properties.modifiedDate"],
      nameRule: { maxLength: 63, letterFirst: true },
      lists: [["sharedKeys", undefined, "keys"]],
      secretOutputs: ["keys.primarySharedKey", "keys.secondarySharedKey"],
    },
    "Microsoft.Insights/scheduledQueryRules": {
      version: "2026-03-01",
      about: "An alert on what a query of logs finds.",
      top: "kind identity",
      required: ["properties"],
      immutable: ["kind", "properties.scopes"],
      readOnly: [
        "identity.principalId",
        "identity.tenantId",
        "properties.createdWithApiVersion",
        "properties.isLegacyLogAnalyticsRule",
        "properties.isWorkspaceAlertsStorageConfigured",
      ],
      nameRule: { maxLength: 260, letterFirst: true },
      state: "none",
    },
    "Microsoft.KeyVault/vaults": {
      version: "2026-02-01",
      about:
        "A key vault. A deleted one keeps its name until it is purged, and is recovered by a create of that name.",
      facts: {
        leaves: {
          says: "Azure keeps the vault and its name for `softDeleteRetentionInDays` (90 where it is not set). `az keyvault purge` leaves nothing, unless `enablePurgeProtection` is set.",
        },
      },
      required: ["properties"],
      immutable: ["properties.tenantId"],
      writeOnly: ["properties.createMode"],
      readOnly: ["properties.hsmPoolResourceId", "properties.privateEndpointConnections"],
      nameRule: { maxLength: 24, letterFirst: true },
      undelete: {
        path: "/{+id}?api-version=2026-02-01",
        body: {
          location: "{location}",
          properties: {
            createMode: "recover",
            tenantId: "{properties.tenantId}",
            sku: "{properties.sku}",
          },
        },
      },
    },
    "Microsoft.KeyVault/vaults/secrets": {
      version: "2026-02-01",
      about: "A secret in a vault. It is deleted with its vault alone.",
      location: "none",
      required: ["properties"],
      writeOnly: ["properties.value"],
      readOnly: [
        "location",
        "properties.secretUri",
        "properties.secretUriWithVersion",
        "properties.attributes.created",
        "properties.attributes.updated",
      ],
      nameRule: { maxLength: 127, letterFirst: true },
      delete: "none",
      state: "none",
    },
  };
}
