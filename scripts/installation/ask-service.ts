/** One request to an installation: its answer, or the reason why there is none. */
import { printable } from "../operator/printable.ts";

const WITHIN_MS = 10_000;

export type ServiceAnswer =
  | { status: number; headers: Headers; body: Record<string, unknown>; askedAtMs: number }
  | { status: undefined; reason: string; code: string | undefined };

interface Asked {
  method?: string;
  /** An API key. */
  key?: string | undefined;
  body?: object;
}

export async function askService(
  url: string,
  { fetch }: { fetch: typeof globalThis.fetch },
  { method = "GET", key, body }: Asked = {},
): Promise<ServiceAnswer> {
  const askedAtMs = Date.now();
  try {
    const response = await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: AbortSignal.timeout(WITHIN_MS),
    });
    const answer = objectIn(await response.text());
    return { status: response.status, headers: response.headers, body: answer, askedAtMs };
  } catch (error) {
    const { message, cause } = error as Error;
    const { code } = (cause ?? {}) as { code?: string };
    return { status: undefined, reason: cause instanceof Error ? cause.message : message, code };
  }
}

/** The answer in words, to follow the name of the request. */
export function saidBy(answer: ServiceAnswer): string {
  if (answer.status === undefined) return `got no answer: ${answer.reason}`;
  const { detail } = answer.body;
  return `answered ${answer.status}${typeof detail === "string" ? `: ${detail}` : ""}`;
}

/** Empty if the body is no JSON object. People see its texts, so they are made printable. */
function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text, (_, part: unknown) =>
      typeof part === "string" ? printable(part) : part,
    );
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
