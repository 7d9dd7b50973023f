import type * as z from "zod";
import {
  namedTenant,
  findTenantLimits,
  requireBytes,
  enforcePlanLimit,
  spendQuota,
} from "#areas/tenants/public.ts";
import type { SentReport } from "#importers/reports/report.ts";
import { owningTenant } from "#kernel/access/access.ts";
import { audit } from "#kernel/audit/audit.ts";
import type { Call } from "#kernel/call/call.ts";
import { event } from "#kernel/outbox/outbox.ts";
import { type Import, imports } from "#schema/imports.ts";
import { acceptFiles } from "./accept-files.ts";
import { analyse } from "./analyse.ts";
import type { CreateImportBody } from "./contract.ts";
import { draftOf, type ImportPage, importPage } from "./import-page.ts";
import { packImport, storableBytes } from "./pack-import.ts";
import { putImport } from "./store.ts";

const PAGE = 100;

interface ImportOptions {
  adopt?: boolean | undefined;
  dryRun?: boolean | undefined;
  module?: string | undefined;
}

/** Analyses everything within the request and stores the results, never the files; in a dry run, nothing. */
export async function createImport(
  call: Call,
  body: z.output<typeof CreateImportBody>,
  { adopt = false, dryRun = false, module }: ImportOptions,
): Promise<ImportPage> {
  const [, limited] = await call.read(
    namedTenant(call, body.tenantId),
    findTenantLimits(call, body.tenantId),
  );
  const tenantId = owningTenant(call.actor, body.tenantId);
  const limits = limited.find(({ id }) => id === tenantId);
  if (limits !== undefined) await spendQuota(call, limits);
  const accepted = await acceptFiles(body.files);
  const report = body.report as SentReport | undefined;
  const analysis = await analyse(accepted, report, { adopt, assets: call.env.ASSETS });
  const packed = await packImport(analysis, storableBytes(accepted.files, report));
  const { parts, drafts, ...result } = packed.kept;
  const made: Import = {
    id: call.newId(),
    tenantId,
    ...result,
    counts: Object.fromEntries(Object.entries(parts).map(([part, items]) => [part, items.length])),
    version: 1,
    createdAtMs: call.now,
  };
  const draft = draftOf(drafts, module);
  const page = await importPage(call, made, parts, { from: 0, limit: PAGE, draft });
  if (dryRun) return { ...page, isStored: false };
  const { state, progress } = made;
  const resource = { tenantId, type: "import", id: made.id };
  const data = { state, progress: { ...progress }, importUrl: `/api/v1/imports/${made.id}` };
  return call.commit(page, [
    ...(await requireBytes(call, "importBytes", tenantId)),
    ...(await enforcePlanLimit(call, "imports", tenantId, imports)),
    ...putImport(call, made, packed),
    audit("import.create", resource, { after: made }),
    event("import.created", { ...resource, sequence: 1 }, data),
    event(
      state === "FAILED" ? "import.failed" : "import.completed",
      { ...resource, sequence: 2 },
      data,
    ),
  ]);
}
