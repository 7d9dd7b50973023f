/** A project that somebody imports, and its draft as it is: checked, deployed, and deployed again. */
import { expect } from "vitest";
import type { JsonMap } from "#platform/json.ts";
import { type CloudAccount, exampleAt } from "#test/orchestrator/example-life.ts";
import type { TestTenant } from "#test/support/api.ts";

export interface SourceFile {
  path: string;
  content: string;
}

export interface ReadDraft {
  source: string;
  mapped: number;
  partlyMapped: number;
  notMapped: number;
  unsupported: { address: string; path: string | null; code: string; reason: string }[];
  unresolved: { config: string; address: string; reason: string }[];
}

/** The draft of the first root module, which passes the check of templates. */
export async function draftOf(
  tenant: TestTenant,
  files: readonly SourceFile[],
  { query = "", report }: { query?: string; report?: JsonMap } = {},
): Promise<ReadDraft> {
  const body = { files, ...(report === undefined ? {} : { report }) };
  const made = await tenant.post(`/imports${query}`, body);
  expect(made.status, made.text.slice(0, 800)).toBe(201);
  expect(made.body.state, JSON.stringify(made.body.warnings)).toBe("COMPLETED");
  const { draft } = made.body;
  expect(draft, JSON.stringify(made.body.drafts)).not.toBeNull();
  const checked = await tenant.post("/templates/validate", { source: draft.source });
  expect(checked.body).toMatchObject({ valid: true });
  return draft;
}

/** An instance of the draft at the account, as it is. */
export async function instanceOfDraft(
  tenant: TestTenant,
  account: CloudAccount,
  { source }: ReadDraft,
  variables: JsonMap = {},
) {
  return exampleAt(tenant, account, source, { name: "shop", variables });
}
