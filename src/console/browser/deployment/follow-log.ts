/**
 * Follows the log by server-sent events. The browser reconnects by itself and says which line it had last. Where it
 * gives up, because a proxy answered with an error, another connection begins after that line.
 */
import type { LogLine } from "#console/shared/log-line.ts";

/** The first wait before another connection. It doubles with each failure, up to half a minute. */
const AGAIN_MS = 1000;
const MOST_FAILURES = 12;

export interface LogFollower {
  /** Takes a line, each once and in order. */
  line: (line: LogLine) => void;
  /** The connection works. `isAgain`: after a break, so a change may have left no line. */
  connected: (isAgain: boolean) => void;
  /** The connection is broken. `isForever`: no more tries. */
  broken: (isForever: boolean) => void;
  /** The log has ended. */
  ended: () => void;
}

/** `after`: the number of the last known line. */
export function followLog(deploymentId: string, after: number, follower: LogFollower): void {
  let last = after;
  connect(0);

  function connect(failures: number): void {
    const source = new EventSource(`/api/v1/deployments/${deploymentId}/log?cursor=${last}`);
    let failed = failures;
    source.addEventListener("open", () => {
      follower.connected(failed > 0);
      failed = 0;
    });
    source.addEventListener("error", () => {
      failed += 1;
      const isForever = source.readyState === EventSource.CLOSED && failed > MOST_FAILURES;
      follower.broken(isForever);
      if (source.readyState === EventSource.CLOSED && !isForever)
        setTimeout(() => connect(failed), AGAIN_MS * 2 ** Math.min(failed, 5));
    });
    source.addEventListener("message", ({ data }: MessageEvent<string>) => {
      const line = JSON.parse(data) as LogLine;
      // Two connections may send the same line.
      if (line.seq <= last) return;
      last = line.seq;
      follower.line(line);
    });
    source.addEventListener("end", () => {
      source.close();
      follower.ended();
    });
  }
}
