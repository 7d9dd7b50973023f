import { type ChainReport, checkChain, type SealedRecord } from "#kernel/audit/audit-chain.ts";

/** Verifies an export of the audit log and reports the result in lines of text. Throws for a text that is not an export. */
export async function verifyExport(
  text: string,
  head?: string,
): Promise<{ ok: boolean; lines: string[] }> {
  const records = recordsOf(text);
  if (records.length === 0) return { ok: false, lines: ["The file contains no audit entries."] };
  const tenants = Map.groupBy(records, ({ tenantId }) => tenantId);
  const expected = head === undefined ? undefined : headOf(head);
  if (expected !== undefined && tenants.size > 1)
    return { ok: false, lines: ["--head applies to one tenant, but the file contains several."] };
  const lines: string[] = [];
  let ok = true;
  for (const [tenantId, entries] of tenants) {
    const report = await checkChain(entries, expected);
    lines.push(...linesOf(tenantId ?? "platform", report));
    ok &&= report.problems.length === 0;
  }
  return { ok, lines };
}

function linesOf(name: string, { problems, checked, unsealed, head }: ChainReport): string[] {
  const newest =
    unsealed === 0 ? "" : ` ${unsealed} newer entries have no hash yet: export them again later.`;
  const at = head === undefined ? "" : ` Head ${head.sequence}:${head.hash}`;
  if (problems.length === 0)
    return [`${name}: the chain of ${checked} entries is valid.${newest}${at}`];
  return [`${name}: the chain is NOT valid.`, ...problems.map((problem) => `  ${problem}`)];
}

function recordsOf(text: string): SealedRecord[] {
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    values = text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(valueOf);
  }
  return values.flatMap(entriesIn);
}

function valueOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new Error("The file is not an export, or was cut: it has a line that is not JSON.", {
      cause,
    });
  }
}

function entriesIn(value: unknown): SealedRecord[] {
  if (Array.isArray(value)) return value.flatMap(entriesIn);
  if (typeof value !== "object" || value === null)
    throw new Error("The file is not an export: it contains a value that is not a JSON object.");
  if ("data" in value && Array.isArray(value.data)) return value.data.flatMap(entriesIn);
  if (!("sequence" in value) || typeof value.sequence !== "number" || !("hash" in value))
    throw new Error("The file is not an export: an entry has no sequence or no hash.");
  return [value as SealedRecord];
}

function headOf(text: string): { sequence: number; hash: string } {
  const match = /^([1-9][0-9]*):([0-9a-f]{64})$/.exec(text);
  if (match === null)
    throw new Error("--head must be SEQUENCE:HASH, as printed by an earlier check.");
  return { sequence: Number(match[1]), hash: match[2] ?? "" };
}
