/**
 * The installation's own host names, as seen in requests. It may be reached by names that no setting lists (custom
 * domains, workers.dev). Stored in D1, because the consumer that sends webhooks may never see a request, and in the
 * isolate's memory, so that a known name costs nothing.
 */
import { type SQL, sql } from "drizzle-orm";
import { openDb } from "#platform/db/client.ts";
import { describeError, log } from "#platform/log.ts";
import { ownHosts } from "#schema/own-hosts.ts";

/** With a wildcard route anyone can make up names, so their number is limited. */
const MAX_HOSTS = 100;
/** The time for which an isolate relies on its last read. */
const FRESH_MS = 60_000;
/** A name is written again after this time: D1 may have been set back since. */
const WRITE_AGAIN_MS = 60 * 60_000;

let seen: ReadonlySet<string> = new Set();
/** When this isolate wrote a name, epoch milliseconds. */
const writtenAtMs = new Map<string, number>();
let readAtMs = Number.NEGATIVE_INFINITY;

type Settings = { DB: D1Database; WEBHOOK_ALLOW_INSECURE: string };

/**
 * Notes the host of a request, and writes it to D1 once an hour. Never throws. In development the `Host` header is
 * unreliable, so no host is noted.
 */
export function noteHost(
  url: URL,
  { env, nowMs, after }: { env: Settings; nowMs: number; after: (work: Promise<unknown>) => void },
): void {
  const host = bareHost(url);
  if (env.WEBHOOK_ALLOW_INSECURE === "on") return;
  if (Math.abs(nowMs - (writtenAtMs.get(host) ?? Number.NEGATIVE_INFINITY)) < WRITE_AGAIN_MS)
    return;
  if (!seen.has(host) && seen.size >= MAX_HOSTS) return;
  seen = new Set([...seen, host]);
  writtenAtMs.set(host, nowMs);
  const write = openDb(env.DB).run(sql`INSERT INTO ${ownHosts} (host, first_seen_at_ms)
    SELECT ${host}, ${nowMs} WHERE (SELECT count(*) FROM ${ownHosts}) < ${MAX_HOSTS} ON CONFLICT DO NOTHING`);
  after(
    Promise.resolve(write).catch((error: unknown) => {
      writtenAtMs.delete(host);
      log("warn", "A host name of the service could not be stored", {
        host,
        error: describeError(error),
      });
    }),
  );
}

/** The hosts this isolate knows; reads them from D1 at most once a minute. Throws if D1 cannot be reached. */
export async function readOwnHosts(env: Settings, nowMs: number): Promise<ReadonlySet<string>> {
  if (Math.abs(nowMs - readAtMs) < FRESH_MS) return seen;
  const stored = await openDb(env.DB).select({ host: ownHosts.host }).from(ownHosts);
  seen = new Set([...seen, ...stored.map(({ host }) => host)]);
  readAtMs = nowMs;
  return seen;
}

/** The hosts this isolate knows, without a read. */
export function knownOwnHosts(): ReadonlySet<string> {
  return seen;
}

/** Holds for a host that is not the service's. */
export function isForeignHost(url: URL): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${ownHosts} WHERE ${ownHosts.host} = ${bareHost(url)})`;
}

/** The host name in lower case, without a trailing dot. */
export function bareHost(url: URL): string {
  return url.hostname.toLowerCase().replace(/\.$/, "");
}
