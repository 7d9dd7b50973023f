import { Sha256 } from "@aws-crypto/sha256-js";
import { SignatureV4 } from "@smithy/signature-v4";

export interface SigningKey {
  id: string;
  secret: string;
  session?: string | undefined;
}

export interface Scope {
  id: string;
  date: string;
  region: string;
  service: string;
  /** The headers that were signed. */
  names: readonly string[];
}

/** What an `authorization` header of Signature Version 4 says of itself; undefined: it is none. */
export function scopeIn(authorization: string): Scope | undefined {
  const [all, id = "", date = "", region = "", service = "", names = ""] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([^,]+), Signature=[0-9a-f]{64}$/.exec(
      authorization,
    ) ?? [];
  return all === undefined ? undefined : { id, date, region, service, names: names.split(";") };
}

/** The header as `@smithy/signature-v4` makes it of the headers that were signed. */
export async function independentAuthorization(
  request: Request,
  body: string,
  { region, service, names }: Scope,
  { id, secret, session }: SigningKey,
): Promise<string> {
  const url = new URL(request.url);
  const headers = Object.fromEntries(
    names.map((name) => [name, name === "host" ? url.host : (request.headers.get(name) ?? "")]),
  );
  const date = request.headers.get("x-amz-date") ?? "";
  const iso = date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  const signer = new SignatureV4({
    credentials: {
      accessKeyId: id,
      secretAccessKey: secret,
      ...(session !== undefined && { sessionToken: session }),
    },
    region,
    service,
    sha256: Sha256,
    applyChecksum: false,
    // S3 alone takes the path as it is sent.
    uriEscapePath: service !== "s3",
  });
  const signed = await signer.sign(
    {
      method: request.method,
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers,
      body,
    },
    { signingDate: new Date(iso) },
  );
  return signed.headers["authorization"] ?? "";
}
