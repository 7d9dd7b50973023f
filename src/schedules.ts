/** The sweeps that run every minute: each finishes work that a lost message or a crash left undone. */
import { sealAudit } from "#areas/audit/seal-audit.ts";
import { sweepImports } from "#areas/imports/sweep-imports.ts";
import { sweepLicense } from "#areas/license/sweep-license.ts";
import { sweepSessions } from "#areas/sign-in/sweep-sessions.ts";
import { sweepStatusChanges } from "#areas/status/sweep-status-changes.ts";
import { sweepStatus } from "#areas/status/sweep-status.ts";
import { sweepEmailDomains } from "#areas/tenants/email-domains/sweep-email-domains.ts";
import { purgeTenants } from "#areas/tenants/purge-tenants.ts";
import { sweepTriggers } from "#areas/triggers/sweep-triggers.ts";
import { sweepWebhooks } from "#areas/webhooks/sweep.ts";
import type { Bindings } from "#kernel/bindings.ts";
import { forgetAnswers } from "#kernel/call/forget-answers.ts";
import { sweepKeptDeployments } from "#kernel/limits/kept-deployments.ts";
import { sweepDeployments } from "#orchestrator/runner/sweep-deployments.ts";
import { sweepRestored } from "#orchestrator/runner/sweep-restored.ts";

export type Sweep = (env: Bindings, nowMs: number) => Promise<void>;

export const sweeps: Readonly<Record<string, Sweep>> = {
  audit: sealAudit,
  deployments: sweepDeployments,
  restored: sweepRestored,
  license: sweepLicense,
  sessions: sweepSessions,
  status: sweepStatus,
  statusChanges: sweepStatusChanges,
  tenants: purgeTenants,
  emailDomains: sweepEmailDomains,
  imports: sweepImports,
  triggers: sweepTriggers,
  webhooks: sweepWebhooks,
  answers: forgetAnswers,
  keptDeployments: sweepKeptDeployments,
};
