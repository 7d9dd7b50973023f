import { hasSecret, redact, reveal, type ValueMap } from "#engine/value.ts";
import { requireOutputsFit } from "#orchestrator/program/output-size.ts";
import type { RunnerParts } from "#orchestrator/runner-parts.ts";
import { digestBytesHex } from "#platform/crypto/digest.ts";
import { signHmac } from "#platform/crypto/hmac.ts";
import type { SealedPlace } from "#platform/crypto/seal.ts";
import { sealMap } from "#platform/crypto/sealed-map.ts";
import { canonicalJson, isJsonMap, type Json, type JsonMap } from "#platform/json.ts";

export interface RunOutputs {
  /** The outputs as shown, with secrets masked. */
  shown: JsonMap;
  /** The outputs that contain a secret, sealed whole; null: there are none. */
  sealed: JsonMap | null;
  /** Keyed hashes of the plain values, by name; each instance has its own key. */
  hashes: { [output: string]: string };
  /** The names of the outputs that were added, changed or removed. */
  changed: string[];
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
    changed: [...new Set([...Object.keys(before), ...names])]
      .filter((name) => ownText(before, name) !== ownText(now, name))
      .sort(),
    keep: () => {
      if (hashKey !== undefined) parts.store.facts.set("outputKey", hashKey.sealed);
      parts.store.facts.set("outputs", JSON.stringify(now));
    },
  };
}

/** The key never leaves the runner, so a reader of the hashes cannot test guessed values against them. */
async function openHashKey(
  { store, sealer }: Pick<RunnerParts, "store" | "sealer">,
  place: SealedPlace,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; sealed: string }> {
  const keyPlace = { ...place, column: "output_key" };
  const known = store.facts.get("outputKey");
  const text =
    known === undefined
      ? await digestBytesHex(crypto.getRandomValues(new Uint8Array(32)))
      : await sealer.open(known, keyPlace);
  return {
    bytes: new Uint8Array(new TextEncoder().encode(text)),
    sealed: known ?? (await sealer.seal(text, keyPlace)),
  };
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

function ownText(map: JsonMap, name: string): Json | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}
