import { AwsV4Signer } from "aws4fetch";
import type { TransportRequest } from "#providers/transport.ts";

export interface AwsKeys {
  accessKeyId: string;
  secretAccessKey: string;
  /** Of temporary keys. */
  sessionToken?: string;
}

/**
 * The request with its signature (AWS Signature Version 4). The host that is signed is the URL's: the runtime sends
 * that one, whatever a header says. The signature is valid for 15 minutes.
 */
export async function signAws(
  request: TransportRequest,
  { keys, service, region, nowMs }: AwsSigning,
): Promise<TransportRequest> {
  const { method, url, headers, body } = request;
  const signed = await new AwsV4Signer({
    ...keys,
    method,
    url,
    headers: { ...headers },
    ...(body === undefined ? {} : { body }),
    service,
    region,
    datetime: new Date(nowMs).toISOString().replace(/[:-]|\.\d{3}/g, ""),
  }).sign();
  return {
    method,
    url: String(signed.url),
    headers: Object.fromEntries(signed.headers.entries()),
    ...(body === undefined ? {} : { body }),
  };
}

export interface AwsSigning {
  keys: AwsKeys;
  service: string;
  region: string;
  nowMs: number;
}
