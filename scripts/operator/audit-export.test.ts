import { describe, expect, it } from "vitest";
import {
  type AuditRecord,
  CHAIN_START,
  chainHash,
  type SealedRecord,
} from "#kernel/audit/audit-chain.ts";
import { verifyExport } from "./audit-export.ts";

async function chain(length: number, tenantId: string | null = "t-1"): Promise<SealedRecord[]> {
  const records: SealedRecord[] = [];
  let prevHash = CHAIN_START;
  for (let sequence = 1; sequence <= length; sequence += 1) {
    const record: AuditRecord = {
      tenantId,
      sequence,
      id: `id-${sequence}`,
      at: "2026-01-01T00:00:00.000Z",
      actor: "key:a",
      action: "instance.update",
      resourceType: "instance",
      resourceId: `instance-${sequence}`,
      requestId: "r",
      beforeDigest: null,
      afterDigest: "00",
    };
    const hash = await chainHash(prevHash, record);
    records.push({ ...record, prevHash, hash });
    prevHash = hash;
  }
  return records;
}

const whole = await chain(6);
const headOf = (record: SealedRecord | undefined) => `${record?.sequence}:${record?.hash}`;
const changed = (at: number, change: Partial<SealedRecord>) =>
  whole.map((record, index) => (index === at ? { ...record, ...change } : record));

describe("an export of the audit log", () => {
  it.for([
    ["an array", JSON.stringify(whole)],
    ["an answer", JSON.stringify({ data: whole.toReversed(), nextCursor: null })],
    ["answers", JSON.stringify([{ data: whole.slice(3) }, { data: whole.slice(0, 3) }])],
    ["one entry per line", whole.map((record) => JSON.stringify(record)).join("\n")],
    [
      "keys in another order",
      JSON.stringify(whole.map((r) => Object.fromEntries(Object.entries(r).toReversed()))),
    ],
  ] as const)("is valid as %s", async ([, text]) => {
    expect(await verifyExport(text)).toEqual({
      ok: true,
      lines: [`t-1: the chain of 6 entries is valid. Head ${headOf(whole[5])}`],
    });
  });

  it.for([
    ["a changed actor", changed(2, { actor: "key:b" }), /Entry 3 \(id-3\) was changed/],
    ["a changed time", changed(5, { at: "2026-01-01T00:00:00.001Z" }), /Entry 6/],
    ["a changed digest", changed(0, { afterDigest: "01" }), /Entry 1/],
    ["an entry with another tenant's id", changed(0, { tenantId: "t-2" }), /is NOT valid/],
    ["a changed hash", changed(2, { hash: "1".repeat(64) }), /Entry 4 does not follow entry 3/],
    ["a first entry removed", whole.slice(1), /Entry 1 is missing/],
    ["an entry removed", whole.filter(({ sequence }) => sequence !== 3), /Entry 3 is missing/],
    [
      "entries removed",
      whole.filter(({ sequence }) => ![3, 4].includes(sequence)),
      /Entries 3 to 4 are missing/,
    ],
    [
      "an entry removed and the rest renumbered",
      whole
        .filter(({ sequence }) => sequence !== 3)
        .map((record, at) => ({ ...record, sequence: at + 1 })),
      /Entry 3 \(id-4\) was changed/,
    ],
    [
      "two entries swapped",
      [whole[0], { ...whole[2], sequence: 2 }, { ...whole[1], sequence: 3 }, ...whole.slice(3)],
      /Entry 2 does not follow entry 1/,
    ],
    ["an entry twice", [...whole, whole[2]], /There are two entries 3/],
    [
      "an entry inserted with a valid hash",
      [...whole, { ...whole[2], id: "put-in", hash: "2".repeat(64) }],
      /There are two entries 3/,
    ],
    [
      "a hash taken away",
      changed(2, { hash: null }),
      /Entry 4 has a hash but an earlier entry has none/,
    ],
  ] as const)("shows %s", async ([, records, expected]) => {
    const { ok, lines } = await verifyExport(JSON.stringify(records));
    expect(ok).toBe(false);
    expect(lines.join("\n")).toMatch(expected);
  });

  it("shows a change of any field", async () => {
    const fields = Object.keys(whole[2] ?? {}).filter((name) => !/^(prevH|h)ash$/.test(name));
    expect(fields).toHaveLength(11);
    for (const name of fields) {
      const value = name === "sequence" ? 9 : "changed";
      const { ok, lines } = await verifyExport(JSON.stringify(changed(2, { [name]: value })));
      expect([name, ok], lines.join("\n")).toEqual([name, false]);
    }
  });

  it("detects a rewritten chain by an earlier head", async () => {
    const forged = whole.slice(0, 5);
    const record = { ...whole[5], actor: "key:b" } as SealedRecord;
    const { prevHash, hash: _, ...plain } = record;
    forged.push({ ...record, hash: await chainHash(prevHash ?? "", plain) });
    expect((await verifyExport(JSON.stringify(forged))).ok).toBe(true);
    const { ok, lines } = await verifyExport(JSON.stringify(forged), headOf(whole[5]));
    expect(ok).toBe(false);
    expect(lines.join()).toMatch(/another hash/);
  });

  it("detects an entry that was changed with its hash, and the place in the next one that repeats it", async () => {
    const record = { ...whole[2], actor: "key:b" } as SealedRecord;
    const { prevHash, hash: _, ...plain } = record;
    const hash = await chainHash(prevHash ?? "", plain);
    const forged = whole.with(2, { ...record, hash }).with(3, {
      ...(whole[3] as SealedRecord),
      prevHash: hash,
    });
    const { ok, lines } = await verifyExport(JSON.stringify(forged), headOf(whole[5]));
    expect(ok).toBe(false);
    expect(lines.join()).toMatch(/Entry 4 \(id-4\) was changed/);
  });

  it("detects entries missing at the end by an earlier head", async () => {
    const cut = JSON.stringify(whole.slice(0, 4));
    expect((await verifyExport(cut, headOf(whole[3]))).ok).toBe(true);
    expect((await verifyExport(cut, headOf(whole[5]))).ok).toBe(false);
  });

  it("accepts entries that are too new to have a hash", async () => {
    const open = changed(5, { prevHash: null, hash: null });
    const { ok, lines } = await verifyExport(JSON.stringify(open));
    expect(ok).toBe(true);
    expect(lines.join()).toMatch(/5 entries is valid. 1 newer/);
  });

  it("checks each tenant separately, and the platform", async () => {
    const platform = await chain(2, null);
    expect((await verifyExport(JSON.stringify([...whole, ...platform]))).lines).toHaveLength(2);
    const bad = [...whole, ...platform.slice(1)];
    const { ok, lines } = await verifyExport(JSON.stringify(bad));
    expect(ok).toBe(false);
    expect(lines.join("\n")).toMatch(/platform: the chain is NOT valid/);
  });

  it.for(["", "[]", '{"data":[]}'])("does not accept %j", async (text) => {
    expect((await verifyExport(text)).ok).toBe(false);
  });

  it.for(["not json", "[1]", '{"a":1}'])("rejects %j", async (text) => {
    await expect(verifyExport(text)).rejects.toThrow(/JSON|export/);
  });
});
