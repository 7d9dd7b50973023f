/**
 * TXT records by DNS over HTTPS, in the JSON form that Cloudflare and Google answer:
 * https://developers.cloudflare.com/1.1.1.1/encryption/dns-over-https/make-api-requests/dns-json/
 */
import { boundedBody } from "#platform/bounded-body.ts";
import { isJsonMap } from "#platform/json.ts";
import { isLoopback } from "#platform/loopback.ts";

export const DEFAULT_RESOLVER = "https://cloudflare-dns.com/dns-query";

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;
const TXT = 16;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** `unknown`: the resolver gave no reliable answer, which says nothing about the records. */
export type TxtRecords =
  | { kind: "records"; texts: readonly string[] }
  | { kind: "unknown"; why: string };

/**
 * The texts of the records with exactly this name. Records behind a CNAME do not count: another party controls its
 * target. Never throws, whatever the resolver does.
 */
export async function txtRecords(
  resolver: string,
  name: string,
  timeoutMs = TIMEOUT_MS,
): Promise<TxtRecords> {
  const url = URL.parse(resolver);
  if (url === null || !(url.protocol === "https:" || isLoopback(url)))
    return unknown("`DNS_RESOLVER` is no https address");
  url.searchParams.set("name", name);
  url.searchParams.set("type", "TXT");
  try {
    const response = await fetch(url, {
      headers: { accept: "application/dns-json" },
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      return unknown(`the resolver answers ${response.status}`);
    }
    const body = await boundedBody(response, MAX_BYTES);
    if (body === undefined) return unknown(`the answer has more than ${MAX_BYTES} bytes`);
    return recordsIn(JSON.parse(await body.text()), name);
  } catch (error) {
    return unknown(
      error instanceof Error && error.name === "TimeoutError"
        ? "the resolver does not answer"
        : "the resolver cannot be reached, or its answer is not JSON",
    );
  }
}

function recordsIn(answer: unknown, name: string): TxtRecords {
  if (!isJsonMap(answer)) return unknown("the answer is no object");
  const { Status: status, Question: question, Answer: answers = [], TC: isCut } = answer;
  if (status === NO_SUCH_NAME) return { kind: "records", texts: [] };
  if (status !== NO_ERROR) return unknown(`DNS answers with the code ${JSON.stringify(status)}`);
  const asked: unknown = Array.isArray(question) ? question[0] : undefined;
  if (!isJsonMap(asked) || !isNamed(asked, name) || asked["type"] !== TXT)
    return unknown("the answer is to another question");
  if (isCut === true) return unknown("the answer is cut");
  if (!Array.isArray(answers)) return unknown("the answer has no list of records");
  return {
    kind: "records",
    texts: answers.flatMap((record: unknown) =>
      isJsonMap(record) && record["type"] === TXT && isNamed(record, name)
        ? textOf(record["data"])
        : [],
    ),
  };
}

function isNamed({ name: has }: Readonly<Record<string, unknown>>, name: string): boolean {
  return typeof has === "string" && has.toLowerCase().replace(/\.$/, "") === name;
}

/** A record is one text, or several quoted texts that belong together. */
function textOf(data: unknown): string[] {
  if (typeof data !== "string") return [];
  if (!data.startsWith('"')) return [data];
  return [[...data.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part]) => part).join("")];
}

function unknown(why: string): TxtRecords {
  return { kind: "unknown", why };
}
