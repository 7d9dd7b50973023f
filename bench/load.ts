import autocannon from "autocannon";
import { cpuTimeMs } from "./cpu-time.ts";

export interface Target {
  url: string;
  method?: "GET" | "POST";
  body?: string;
  /** The expected status of every answer. */
  status: number;
  /** Called for each request. */
  headers: () => Record<string, string>;
}

const WARM_UP_S = 1;
/** Short, so that a pair of windows meets the same machine. */
const WINDOW_S = 1;
const TIMEOUT_S = 10;

export interface LoadSource {
  connections: number;
  /** The process whose CPU time is measured. */
  pid: number;
}

export interface Window {
  answersPerSecond: number;
  /** CPU time of the runtime per answer; undefined when it cannot be read. */
  cpuMs: number | undefined;
}

/** Runs one window of load. Throws when an answer is missing or has an unexpected status. */
export async function load(target: Target, source: LoadSource): Promise<Window> {
  return window(target, source, WINDOW_S);
}

/** Runs a shorter window first, for what is compiled or cached on first use. */
export async function warmUp(target: Target, source: LoadSource): Promise<void> {
  await window(target, source, WARM_UP_S);
}

async function window(
  target: Target,
  { connections, pid }: LoadSource,
  seconds: number,
): Promise<Window> {
  const { url, method = "GET", body } = target;
  const beforeMs = await cpuTimeMs(pid);
  const result = await autocannon({
    url: new URL(url).origin,
    connections,
    duration: seconds,
    timeout: TIMEOUT_S,
    requests: [
      {
        method,
        path: url.slice(new URL(url).origin.length),
        ...(body === undefined ? {} : { body }),
        setupRequest: (request) => ({
          ...request,
          headers: { ...request.headers, ...target.headers() },
        }),
      },
    ],
  });
  const afterMs = await cpuTimeMs(pid);
  const counts: Readonly<Record<string, { count?: number }>> = result.statusCodeStats ?? {};
  const good = counts[String(target.status)]?.count ?? 0;
  const others = Object.keys(counts).filter((status) => status !== String(target.status));
  if (good === 0 || others.length > 0 || result.errors > 0)
    throw new Error(
      `${method} ${url} answered ${JSON.stringify(counts)} with ${result.errors} errors; expected only ${target.status}.`,
    );
  return {
    answersPerSecond: good / result.duration,
    cpuMs:
      beforeMs === undefined || afterMs === undefined ? undefined : (afterMs - beforeMs) / good,
  };
}
