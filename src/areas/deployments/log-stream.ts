/**
 * A deployment's log as server-sent events. The stream polls the runner for entries after the last one sent,
 * so nothing is lost if the runner restarts or the connection breaks: `Last-Event-ID` resumes after the last
 * entry received.
 */
import type { LogPage } from "#orchestrator/client/ask-runner.ts";
import { describeError, log } from "#platform/log.ts";

/** The longest time without data: a comment keeps proxies from closing a quiet stream. */
const HEARTBEAT_MS = 15_000;
const AFTER_FAULT_MS = 1_000;

type Page = LogPage & { pruned: boolean };

export interface LogSource {
  /** Entries after a sequence number, waiting up to `waitMs` for the first. */
  read: (afterSeq: number, waitMs: number) => Promise<Page>;
  /** Reloads the deployment for `read`, in case it ended without its runner knowing. */
  refresh: () => Promise<void>;
}

export function logStream(
  { read, refresh }: LogSource,
  afterSeq: number,
  requestId: string,
  heartbeatMs = HEARTBEAT_MS,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let closed = false;
  let lastSeq = afterSeq;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      while (!closed) {
        let page: Page;
        try {
          const askedMs = Date.now();
          page = await read(lastSeq, heartbeatMs);
          const inVain = page.entries.length === 0 && !page.ended;
          if (inVain && Date.now() - askedMs >= heartbeatMs) await refresh();
        } catch (error) {
          log("warn", "A log stream could not reach the runner; it tries again", {
            requestId,
            error: describeError(error),
          });
          await scheduler.wait(AFTER_FAULT_MS);
          controller.enqueue(encoder.encode(": the runner is coming back\n\n"));
          return;
        }
        let text = "";
        for (const entry of page.entries) {
          lastSeq = entry.seq;
          text += `id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`;
        }
        if (page.ended) text += `event: end\ndata: ${page.pruned ? '{"pruned":true}' : "{}"}\n\n`;
        controller.enqueue(encoder.encode(text === "" ? ": still here\n\n" : text));
        if (page.ended) {
          closed = true;
          controller.close();
        }
        return;
      }
    },
    cancel() {
      closed = true;
    },
  });
}
