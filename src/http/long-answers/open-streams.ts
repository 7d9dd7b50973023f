/**
 * The open event streams of this isolate, by tenant. Each one queries the database and a runner at every heartbeat, for
 * as long as a plan waits for approval, so the rate limit alone does not bound them. A broken connection is not always
 * reported: a stream without a heartbeat no longer counts.
 */
import { tooMany } from "#http/rate-limit.ts";

export const MAX_STREAMS = 100;
const LAPSES_MS = 60_000;

export interface OpenStream {
  goesOn: (nowMs: number) => void;
  end: () => void;
}

const streams = new Map<string, Map<symbol, number>>();

/** Counts a stream of the tenant until it ends. Throws `rate_limited` if it has too many. */
export function openStream(tenantId: string, nowMs: number): OpenStream {
  const own = streams.get(tenantId) ?? new Map<symbol, number>();
  for (const [one, untilMs] of own) if (untilMs <= nowMs) own.delete(one);
  if (own.size >= MAX_STREAMS)
    throw tooMany(
      `The tenant follows ${MAX_STREAMS} logs at the same time, the maximum. Close some, or read pages of the log.`,
      LAPSES_MS / 1000,
    );
  streams.set(tenantId, own);
  const stream = Symbol("stream");
  own.set(stream, nowMs + LAPSES_MS);
  return {
    goesOn: (atMs) => own.set(stream, atMs + LAPSES_MS),
    end: () => {
      own.delete(stream);
      if (own.size === 0 && streams.get(tenantId) === own) streams.delete(tenantId);
    },
  };
}
