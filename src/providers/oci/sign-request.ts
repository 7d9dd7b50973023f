/**
 * Oracle's request signature: draft-cavage-http-signatures with RSA and SHA-256. The time is in `x-date`, because fetch
 * sends no `date` that is set, and the host is the URL's, because Workers replace one that is set.
 */
import type { TransportRequest } from "#providers/transport.ts";

const withBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

function base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/**
 * The headers that sign the request. `content-length` is signed and not set: the runtime sends it for every body and
 * for a POST or PUT without one.
 */
export async function signRequest(
  { method, url, headers, body = "" }: TransportRequest,
  { key, keyId }: { key: CryptoKey; keyId: string },
  nowMs: number,
): Promise<Record<string, string>> {
  const { host, pathname, search } = new URL(url);
  const date = new Date(nowMs).toUTCString();
  const lines: [name: string, value: string][] = [
    ["x-date", date],
    ["(request-target)", `${method.toLowerCase()} ${pathname}${search}`],
    ["host", host],
  ];
  const added: Record<string, string> = { "x-date": date };
  if (withBody.has(method)) {
    const bytes = new TextEncoder().encode(body);
    const type = headers["content-type"] ?? "application/json";
    const digest = base64(await crypto.subtle.digest("SHA-256", bytes));
    lines.push(
      ["content-type", type],
      ["content-length", String(bytes.length)],
      ["x-content-sha256", digest],
    );
    added["content-type"] = type;
    added["x-content-sha256"] = digest;
  }
  const text = lines.map(([name, value]) => `${name}: ${value}`).join("\n");
  const signature = await crypto.subtle.sign(
    "RSASSA-PKCS1-v1_5",
    key,
    new TextEncoder().encode(text),
  );
  const names = lines.map(([name]) => name).join(" ");
  const authorization = `Signature version="1",keyId="${keyId}",algorithm="rsa-sha256",headers="${names}",signature="${base64(signature)}"`;
  return { ...added, authorization };
}
