/** The meaning of S3's refusals, by their codes. (Amazon's list of S3's error codes; Ceph and MinIO use the same.) */
import type { FailureMeaning } from "#providers/provider.ts";
import type { ProviderError } from "#providers/rest/definition.ts";
import { withAdvice } from "#providers/rest/with-advice.ts";
import { parseXml } from "#providers/rest/xml.ts";
import type { Answer } from "#providers/transport.ts";

/** How long a refused call waits where the cloud does not say. */
const THROTTLED_MS = 2_000;

const meanings: Readonly<Record<FailureMeaning, string>> = {
  gone: "NoSuchBucket",
  exists: "BucketAlreadyExists BucketAlreadyOwnedByYou",
  busy: "OperationAborted",
  stale: "",
  throttled: "SlowDown TooManyRequests RequestLimitExceeded",
  denied:
    "AccessDenied InvalidAccessKeyId SignatureDoesNotMatch RequestTimeTooSkewed AccountProblem",
  quota: "TooManyBuckets QuotaExceeded",
  invalid: "",
};

const advice: Readonly<Record<string, string>> = {
  BucketAlreadyExists: "All customers of the cloud share the names: choose another one.",
  BucketNotEmpty: "Delete what is in the bucket, older versions and unfinished uploads too.",
  InvalidAccessKeyId: "Set the access key in the credential to one that is valid.",
  SignatureDoesNotMatch: "Set the secret of the access key in the credential to its own.",
  AccessDenied: "Give the access key all rights, or check whose the bucket is.",
};

/** A 404 that does not name the bucket says nothing of it. */
export function bucketError({ status, afterMs, text = "" }: Answer): ProviderError {
  const told = text.startsWith("<") ? parseXml(text) : undefined;
  const error = told?.name === "Error" ? told : undefined;
  const code = error?.find("Code")?.text || `http_${status}`;
  const words = error?.find("Message")?.text || code;
  const means = meaningOf(code, status);
  const isThrottled = means === "throttled" || status === 429;
  const hint = (Object.hasOwn(advice, code) ? advice[code] : undefined) ?? "";
  return {
    code,
    message: withAdvice(words, hint),
    ...(means === undefined ? {} : { means }),
    ...(isThrottled && { afterMs: afterMs ?? THROTTLED_MS }),
  };
}

function meaningOf(code: string, status: number): FailureMeaning | undefined {
  for (const [means, codes] of Object.entries(meanings))
    if (codes.split(" ").includes(code)) return means as FailureMeaning;
  return status === 404 || status === 409 ? "invalid" : undefined;
}
