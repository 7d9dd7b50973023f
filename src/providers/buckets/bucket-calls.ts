/** The calls of S3 for one bucket, signed with an access key of the cloud's object storage. */
import { md5 } from "@noble/hashes/legacy.js";
import { digestHex } from "#platform/crypto/digest.ts";
import type { Json } from "#platform/json.ts";
import { type AwsKeys, signAws } from "#providers/auth/sign-aws.ts";
import type { ProviderContext } from "#providers/provider.ts";
import type { Answered, Failed, RequestResult, RequestSpec } from "#providers/rest/definition.ts";
import { type Attempt, failure } from "#providers/rest/requests/attempt.ts";
import { skewOf } from "#providers/rest/requests/list.ts";
import { sendRequest } from "#providers/rest/requests/request.ts";
import { parseXml } from "#providers/rest/xml.ts";
import type { TransportRequest } from "#providers/transport.ts";
import { bucketError } from "./bucket-error.ts";
import type { BucketSetting } from "./bucket-settings.ts";

export interface Bucket {
  /** Its context has the bucket's region. */
  attempt: Attempt;
  /** The engine's id: the region and the name. */
  id: string;
  name: string;
  keys: AwsKeys;
  /** The name of the definition's host of object storage. */
  host: string;
}

type Read<T> = ({ ok: true } & T) | { ok: false; failed: Failed };

/** When the bucket was made, as its list says. `undefined`: there is none of this name in the account's region. */
export async function listedBucket(
  bucket: Bucket,
): Promise<Read<{ madeMs?: number | undefined; isThere: boolean; skewMs?: number | undefined }>> {
  const result = await call(bucket, "list", { method: "GET", path: "/" });
  if (!result.ok) return result;
  const { text = "", headers } = result.answer;
  const list = parseXml(text)?.find("Buckets");
  if (list === undefined) return noAnswer(bucket, "list");
  const found = list.all("Bucket").find((one) => one.find("Name")?.text === bucket.name);
  const madeMs = Date.parse(found?.find("CreationDate")?.text ?? "");
  return {
    ok: true,
    isThere: found !== undefined,
    madeMs: Number.isNaN(madeMs) ? undefined : madeMs,
    skewMs: skewOf(headers, bucket.attempt.context.now()),
  };
}

export function createBucket(bucket: Bucket, acl: Json | undefined): Promise<RequestResult> {
  return call(bucket, "create", {
    method: "PUT",
    path: `/${bucket.name}`,
    ...(typeof acl === "string" && { headers: { "x-amz-acl": acl } }),
  });
}

export function deleteBucket(bucket: Bucket): Promise<RequestResult> {
  return call(bucket, "delete", { method: "DELETE", path: `/${bucket.name}` });
}

/** The value that the bucket has of a setting; null: none. */
export async function readSetting(
  bucket: Bucket,
  setting: BucketSetting,
): Promise<Read<{ value: Json }>> {
  const result = await call(bucket, "read", { method: "GET", path: pathOf(bucket, setting) });
  // What a cloud does not implement, no bucket has.
  if (!result.ok)
    return [setting.none, "NotImplemented"].includes(result.failed.code)
      ? { ok: true, value: setting.unset ?? null }
      : result;
  const value = setting.read(result.answer.text ?? "");
  return value === undefined ? noAnswer(bucket, setting.query) : { ok: true, value };
}

/** Sets the setting; null takes it away. */
export function writeSetting(
  bucket: Bucket,
  setting: BucketSetting,
  value: Json,
): Promise<RequestResult> {
  const path = pathOf(bucket, setting);
  return value === null
    ? call(bucket, "update", { method: "DELETE", path })
    : call(bucket, "update", { method: "PUT", path, ...setting.write(value) });
}

function pathOf({ name }: Bucket, { query }: BucketSetting): string {
  return `/${name}?${query}`;
}

function noAnswer({ attempt }: Bucket, what: string): { ok: false; failed: Failed } {
  const message = `${attempt.definition.types.name} answered a read of a bucket (${what}) with something else.`;
  return { ok: false, failed: failure("invalid_answer", message, { retryable: true }) };
}

async function call(
  { attempt, host, keys }: Bucket,
  verb: Answered["verb"],
  spec: Omit<RequestSpec, "host" | "filled" | "authorize">,
): Promise<RequestResult> {
  const definition = { ...attempt.definition, readError: bucketError };
  return sendRequest(
    { ...attempt, definition, verb },
    {
      ...spec,
      verb,
      host,
      filled: true,
      headers: { accept: "application/xml", ...spec.headers },
      authorize: (request, context) => signed(request, context, keys),
    },
  );
}

/**
 * With the digests of the body: S3 requires the SHA-256 of every request, and some implementations the MD5 of
 * settings (Ceph until https://github.com/ceph/ceph/pull/45990).
 */
async function signed(
  request: TransportRequest,
  { region, now }: ProviderContext,
  keys: AwsKeys,
): Promise<Readonly<Record<string, string>>> {
  const { body = "" } = request;
  const headers = {
    ...request.headers,
    "x-amz-content-sha256": await digestHex(body),
    ...(body !== "" && { "content-md5": base64(md5(new TextEncoder().encode(body))) }),
  };
  const signing = { keys, service: "s3", region, nowMs: now() };
  return (await signAws({ ...request, headers }, signing)).headers;
}

function base64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
