/**
 * A tenant's audit log is a hash chain: each entry's hash covers the entry and the previous hash. Anyone with one saved
 * hash can later detect whether an entry up to it was changed, removed, added or moved. The hash covers the entry as
 * the API returns it, so an export is enough for the check.
 */
import { digestHex } from "#platform/crypto/digest.ts";
import { canonicalJson } from "#platform/json.ts";

/** An entry as returned and hashed. */
export interface AuditRecord {
  tenantId: string | null;
  /** 1, 2, 3 … within the tenant. */
  sequence: number;
  id: string;
  at: string;
  actor: string;
  action: string;
  resourceType: string;
  resourceId: string;
  requestId: string;
  beforeDigest: string | null;
  afterDigest: string | null;
}

/** The previous hash of the first entry. */
export const CHAIN_START = "0".repeat(64);

/** SHA-256, hex, of the previous hash, a line break, and the canonical JSON of the entry. */
export function chainHash(prevHash: string, record: AuditRecord): Promise<string> {
  return digestHex(`${prevHash}\n${canonicalJson({ ...record })}`);
}

export interface SealedRecord extends AuditRecord {
  prevHash: string | null;
  hash: string | null;
}

export interface ChainReport {
  /** One sentence per problem. */
  problems: string[];
  /** Number of entries with a correct hash. */
  checked: number;
  /** Number of entries too new to have a hash. */
  unsealed: number;
  /** The last entry with a hash. Save it to check a later export against it. */
  head: { sequence: number; hash: string } | undefined;
}

/**
 * Checks the whole chain of one tenant; `records` may be in any order. `expected`: a saved head; without it, entries
 * removed from the end cannot be detected.
 */
export async function checkChain(
  records: readonly SealedRecord[],
  expected?: { sequence: number; hash: string },
): Promise<ChainReport> {
  const sorted = records.toSorted((a, b) => a.sequence - b.sequence);
  const problems: string[] = [];
  let before = { sequence: 0, hash: CHAIN_START };
  let head: ChainReport["head"];
  let checked = 0;
  let unsealed = 0;
  let kept = expected === undefined;
  for (const { prevHash, hash, ...record } of sorted) {
    const { sequence } = record;
    if (sequence !== before.sequence + 1) problems.push(gap(before.sequence, sequence));
    if (hash === null || prevHash === null) {
      unsealed += 1;
      before = { sequence, hash: before.hash };
      continue;
    }
    if (unsealed > 0)
      problems.push(
        `Entry ${sequence} has a hash but an earlier entry has none: the hash was removed.`,
      );
    if (sequence === before.sequence + 1 && prevHash !== before.hash)
      problems.push(`Entry ${sequence} does not follow entry ${before.sequence}.`);
    const right = (await chainHash(prevHash, record)) === hash;
    if (!right)
      problems.push(`Entry ${sequence} (${record.id}) was changed: its hash does not match.`);
    else checked += 1;
    if (expected?.sequence === sequence) {
      kept = true;
      if (expected.hash !== hash)
        problems.push(`Entry ${sequence} has another hash than the saved one.`);
    }
    before = { sequence, hash };
    head = before;
  }
  if (!kept)
    problems.push(`Entry ${expected?.sequence}, whose hash was saved, is missing or has no hash.`);
  return { problems, checked, unsealed, head };
}

function gap(before: number, sequence: number): string {
  if (sequence === before) return `There are two entries ${sequence}.`;
  return before + 1 === sequence - 1
    ? `Entry ${before + 1} is missing.`
    : `Entries ${before + 1} to ${sequence - 1} are missing.`;
}
