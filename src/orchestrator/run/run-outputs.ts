import { own } from "#engine/template/own.ts";
import { hasSecret, redact, reveal, type ValueMap } from "#engine/value.ts";
import { requireOutputsFit } from "#orchestrator/program/output-size.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { digestBytesHex } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import { SealBroken, type SealedPlace } from "#platform/crypto/seal.ts";
import { sealMap } from "#platform/crypto/sealed-map.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

export interface RunOutputs {
  /** The outputs as shown, with secrets masked. */
  shown: JsonMap;
  /** The outputs that contain a secret, each sealed as a whole; null: there are none. */
  sealed: JsonMap | null;
  /** Keyed hashes of the plain values, by name; each instance has its own key. */
  hashes: { [output: string]: string };
  /** The names of the outputs that were added, changed or removed. */
  changed: string[];
  /** The key of the earlier hashes cannot be opened, so every output counts as changed. */
  keyLost: boolean;
  /** Stores the hashes for the next run to compare with. Inside `commit` only. */
  keep: () => void;
}

/** Prepares the instance's outputs for storage. Throws `ProgramError` if they are too large. */
export async function runOutputs(
  parts: Pick<RunnerParts, "store" | "sealer">,
  { tenantId, instanceId }: { tenantId: string; instanceId: string },
  values: ValueMap,
): Promise<RunOutputs> {
  const real = reveal(values) as JsonMap;
  requireOutputsFit(real);
  const place = { table: "instances", tenantId, row: instanceId, column: "outputs" };
  const names = Object.keys(real);
  const secret = new Set(names.filter((name) => hasSecret(values[name] ?? null)));
  const hashKey = names.length === 0 ? undefined : await openHashKey(parts, place);
  const now =
    hashKey === undefined
      ? {}
      : Object.fromEntries(
          await Promise.all(
            Object.entries(real).map(async ([name, value]): Promise<[string, string]> => [
              name,
              await hashOf(hashKey.bytes, name, value),
            ]),
          ),
        );
  const before = hashesBefore(parts.store.facts.get("outputs"));
  const inPlain = Object.fromEntries([...secret].map((name) => [name, real[name] ?? null]));
  return {
    shown: redact(values) as JsonMap,
    sealed: secret.size === 0 ? null : await sealMap(inPlain, secret, parts.sealer, place),
    hashes: now,
    // With another key, even equal values have other hashes.
    changed: [...new Set([...Object.keys(before), ...names])]
      .filter((name) => own(before, name) !== own(now, name))
      .sort(),
    keyLost: hashKey?.lost === true,
    keep: () => {
      if (hashKey !== undefined) parts.store.facts.set("outputKey", hashKey.sealed);
      parts.store.facts.set("outputs", JSON.stringify(now));
    },
  };
}

interface HashKey {
  bytes: Uint8Array<ArrayBuffer>;
  sealed: string;
  /** The key replaces one that cannot be opened. */
  lost: boolean;
}

/** The key never leaves the runner, so a reader of the hashes cannot test guessed values against them. */
async function openHashKey(
  { store, sealer }: Pick<RunnerParts, "store" | "sealer">,
  place: SealedPlace,
): Promise<HashKey> {
  const keyPlace = { ...place, column: "output_key" };
  const known = store.facts.get("outputKey");
  if (known !== undefined)
    try {
      const text = await sealer.open(known, keyPlace);
      return { bytes: bytesOf(text), sealed: known, lost: false };
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
    }
  const text = await digestBytesHex(crypto.getRandomValues(new Uint8Array(32)));
  return {
    bytes: bytesOf(text),
    sealed: await sealer.seal(text, keyPlace),
    lost: known !== undefined,
  };
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
}

async function hashOf(key: Uint8Array<ArrayBuffer>, name: string, value: Json): Promise<string> {
  return digestBytesHex(await signHmac(key, canonicalJson([name, value])));
}

/** The hashes of the last run. An older service version stored one digest of all outputs, which cannot be compared. */
function hashesBefore(fact: string | undefined): JsonMap {
  if (fact === undefined || !fact.startsWith("{")) return {};
  const hashes = JSON.parse(fact) as Json;
  return isJsonMap(hashes) ? hashes : {};
}
