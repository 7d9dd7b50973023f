/**
 * Encodes a resource for the runner's storage: plain JSON, with all its secrets in one sealed text beside it. Takes one
 * AES operation per resource, and none without secrets.
 */
import type { Drift, KnownResource, LostResource, StoredResource } from "#engine/state/state.ts";
import {
  hasSealed,
  isMap,
  PartlyKnown,
  reveal,
  Secret,
  Unknown,
  type Value,
  type ValueMap,
} from "#engine/value.ts";
import { SealBroken, type SealedPlace, type Sealer } from "#platform/crypto/seal.ts";
import type { Json, JsonMap } from "#platform/json.ts";

/** Marks the place of the n-th sealed secret. A map that itself has such a key is wrapped in `$plain`. */
const SECRET = "$secret";
/**
 * Beside `$secret`: the template itself made the value a secret. Without it the value counts as sealed, the stricter
 * reading.
 */
const OWN = "own";
const PLAIN = "$plain";

export interface EncodedValues {
  plain: Json;
  /** The sealed JSON array of the secrets; null: there are none. */
  sealed: string | null;
}

export async function encodeValue(
  value: Value,
  sealer: Sealer,
  place: SealedPlace,
): Promise<EncodedValues> {
  const secrets: Json[] = [];
  const plain = encode(value, secrets);
  return {
    plain,
    sealed: secrets.length === 0 ? null : await sealer.seal(JSON.stringify(secrets), place),
  };
}

export async function decodeValue(
  { plain, sealed }: EncodedValues,
  sealer: Sealer,
  place: SealedPlace,
): Promise<Value> {
  const secrets = sealed === null ? [] : (JSON.parse(await sealer.open(sealed, place)) as Json[]);
  return decode(plain, secrets);
}

function encode(value: Value, secrets: Json[]): Json {
  if (value instanceof Secret) {
    // A secret inside a secret becomes part of it: sealed text needs no markers.
    secrets.push(reveal(value.value));
    return { [SECRET]: secrets.length - 1, ...(hasSealed(value) ? {} : { [OWN]: true }) };
  }
  if (value instanceof Unknown || value instanceof PartlyKnown)
    throw new Error("A value that is known only after apply cannot be stored");
  if (Array.isArray(value)) return value.map((item) => encode(item, secrets));
  if (!isMap(value)) return value;
  const map = Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, encode(item, secrets)]),
  );
  return Object.hasOwn(map, SECRET) || Object.hasOwn(map, PLAIN) ? { [PLAIN]: map } : map;
}

function decode(plain: Json, secrets: readonly Json[]): Value {
  if (Array.isArray(plain)) return plain.map((item) => decode(item, secrets));
  if (typeof plain !== "object" || plain === null) return plain;
  if (Object.hasOwn(plain, SECRET))
    return new Secret(secrets[Number(plain[SECRET])] ?? null, { sealed: plain[OWN] !== true });
  const map = Object.hasOwn(plain, PLAIN) ? (plain[PLAIN] as JsonMap) : plain;
  return Object.fromEntries(Object.entries(map).map(([key, item]) => [key, decode(item, secrets)]));
}

/** The place to which a create's properties are sealed in its intent. */
export function sentPlace({ tenantId, instanceId }: { tenantId: string; instanceId: string }) {
  return { table: "instance_state", tenantId, row: instanceId, column: "sent" };
}

/** Encodes a resource as the text of one column. */
export async function encodeResource(
  resource: StoredResource,
  sealer: Sealer,
  place: SealedPlace,
): Promise<string> {
  if (resource.state === "lost") {
    const { inputs, ...rest } = resource;
    return JSON.stringify({ ...rest, values: await encodeValue([inputs], sealer, place) });
  }
  const { inputs, outputs, drift, ...rest } = resource;
  const observed = drift?.kind === "changed" ? [drift.observed] : [];
  const values = await encodeValue([inputs, outputs, ...observed], sealer, place);
  const driftKind = drift === undefined ? {} : { driftKind: drift.kind };
  return JSON.stringify({ ...rest, ...driftKind, values });
}

type Encoded<R> = Omit<R, "inputs" | "outputs" | "drift"> & { values: EncodedValues };

export async function decodeResource(
  text: string,
  sealer: Sealer,
  place: SealedPlace,
): Promise<StoredResource> {
  const stored = JSON.parse(text) as
    | Encoded<LostResource>
    | (Encoded<KnownResource> & { driftKind?: Drift["kind"] });
  const values = (await decodeValue(stored.values, sealer, place)) as ValueMap[];
  const [inputs = {}, outputs = {}, observed] = values;
  if (stored.state === "lost") {
    const { values: _, ...rest } = stored;
    return withSentInputs({ ...rest, inputs }, sealer, place);
  }
  const { values: _, driftKind, ...rest } = stored;
  const resource: KnownResource = { ...rest, inputs, outputs };
  if (driftKind === "missing") return { ...resource, drift: { kind: "missing" } };
  return observed === undefined ? resource : { ...resource, drift: { kind: "changed", observed } };
}

/** The lost object with the properties of its create, if they can be decrypted now. */
async function withSentInputs(
  lost: LostResource,
  sealer: Sealer,
  { tenantId, row }: SealedPlace,
): Promise<LostResource> {
  const { sealedInputs, ...rest } = lost;
  if (sealedInputs === undefined) return lost;
  try {
    const place = sentPlace({ tenantId, instanceId: row });
    return { ...rest, inputs: (await decodeValue(sealedInputs, sealer, place)) as ValueMap };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return lost;
  }
}
