/**
 * The audit log of a tenant is a chain: each entry's hash covers the entry and the hash before it, so that
 * whoever kept one hash can tell later whether anything up to it was changed, removed, added or moved. What is
 * hashed is the entry as the API shows it, so an export is all it takes to check.
 */
import { digestHex } from "#platform/crypto/digest.ts";
import { canonicalJson } from "#platform/json.ts";

/** An entry as it is shown and hashed. */
export interface AuditRecord {
  tenantId: string | null;
  /** Counts 1, 2, 3 in the tenant. */
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

/** What stands before the first entry. */
export const CHAIN_START = "0".repeat(64);

/** SHA-256, hex, of the hash before, a line break, and the canonical JSON of the entry. */
export function chainHash(prevHash: string, record: AuditRecord): Promise<string> {
  return digestHex(`${prevHash}\n${canonicalJson({ ...record })}`);
}

export interface SealedRecord extends AuditRecord {
  prevHash: string | null;
  hash: string | null;
}

export interface ChainReport {
  /** One sentence for each thing that is wrong. */
  problems: string[];
  /** Entries of which the chain holds. */
  checked: number;
  /** Entries too new to have a hash. */
  unsealed: number;
  /** The last entry that was checked: keep it, and a later export can be held against it. */
  head: { sequence: number; hash: string } | undefined;
}

/**
 * Checks the whole chain of one tenant; the order of `records` does not matter, their sequence does. `expected`:
 * a head kept from before; without one, entries missing at the very end cannot be told from entries never made.
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
      problems.push(`Entry ${sequence} has a hash and one before it has none: it was taken away.`);
    if (sequence === before.sequence + 1 && prevHash !== before.hash)
      problems.push(`Entry ${sequence} does not follow on entry ${before.sequence}.`);
    const right = (await chainHash(prevHash, record)) === hash;
    if (!right)
      problems.push(`Entry ${sequence} (${record.id}) was changed: its hash is not its own.`);
    else checked += 1;
    if (expected?.sequence === sequence) {
      kept = true;
      if (expected.hash !== hash)
        problems.push(`Entry ${sequence} has another hash than the one that was kept.`);
    }
    before = { sequence, hash };
    head = before;
  }
  if (!kept)
    problems.push(`Entry ${expected?.sequence}, whose hash was kept, is missing or has no hash.`);
  return { problems, checked, unsealed, head };
}

function gap(before: number, sequence: number): string {
  if (sequence === before) return `There are two entries ${sequence}.`;
  const missing =
    before + 1 === sequence - 1
      ? `Entry ${before + 1}`
      : `Entries ${before + 1} to ${sequence - 1}`;
  return `${missing} missing.`;
}
