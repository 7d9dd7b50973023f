/** What each minute brings: every sweep repairs what a lost message or a crash left undone. */
import { sweepSessions } from "#areas/auth/sweep-sessions.ts";
import { sweepLicense } from "#areas/license/sweep-license.ts";
import { sweepStatus } from "#areas/operations/sweep-status.ts";
import { sweepStatusChanges } from "#areas/operations/sweep-status-changes.ts";
import { purgeTenants } from "#areas/tenants/purge-tenants.ts";
import { sealAudit } from "#areas/audit/seal-audit.ts";
import { sweepImports } from "#areas/imports/sweep-imports.ts";
import { sweepTriggers } from "#areas/instances/sweep-triggers.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import { sweepDeployments } from "#orchestrator/sweep.ts";
import type { Bindings } from "#platform/bindings.ts";
import { forgetAnswers } from "#platform/http/forget-answers.ts";

export type Sweep = (env: Bindings, nowMs: number) => Promise<void>;

export const sweeps: Readonly<Record<string, Sweep>> = {
  audit: sealAudit,
  deployments: sweepDeployments,
  license: sweepLicense,
  sessions: sweepSessions,
  status: sweepStatus,
  statusChanges: sweepStatusChanges,
  tenants: purgeTenants,
  imports: sweepImports,
  triggers: sweepTriggers,
  webhooks: sweepWebhooks,
  answers: forgetAnswers,
};
