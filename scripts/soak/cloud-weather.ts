/** A cloud's answers as they arrive on a bad day: throttled, hanging, failed after the cloud has acted, or lost. */
import type { Random } from "#test/simulation/random.ts";

type Fetch = (request: Request) => Promise<Response>;

export interface Weather {
  fetch: Fetch;
  /** Ends the faults: from now on every request is answered. */
  clear: () => void;
  /** The number of times of each fault. */
  counts: Readonly<Record<string, number>>;
}

const HANGS_MS = 25_000;
/** The share of requests with each fault; all others are answered. */
const shares = {
  throttled: 0.06,
  "failed before": 0.03,
  "failed after": 0.04,
  "answer lost": 0.04,
  "never arrived": 0.02,
  hung: 0.01,
} as const;
type Fault = keyof typeof shares;

/** `onFault` gets each fault with its request. */
export function weatherOver(
  fetch: Fetch,
  random: Random,
  onFault: (fault: Fault, request: string) => void,
): Weather {
  const counts: Record<string, number> = {};
  let isClear = false;
  const faultOf = (): Fault | undefined => {
    let roll = random.next();
    for (const [fault, share] of Object.entries(shares)) {
      if (roll < share) return fault as Fault;
      roll -= share;
    }
    return undefined;
  };
  return {
    counts,
    clear: () => {
      isClear = true;
    },
    fetch: async (request) => {
      const fault = isClear ? undefined : faultOf();
      if (fault === undefined) return fetch(request);
      counts[fault] = (counts[fault] ?? 0) + 1;
      onFault(fault, `${request.method} ${new URL(request.url).pathname}`);
      switch (fault) {
        case "throttled":
          return problem(429, "too_many_requests", { "retry-after": "1" });
        case "failed before":
          return problem(500, "server_error");
        case "failed after":
          await fetch(request);
          return problem(500, "server_error");
        case "answer lost":
          await fetch(request);
          throw new Error("The answer is lost.");
        case "never arrived":
          throw new Error("The request is lost.");
        case "hung":
          await new Promise((resolve) => {
            setTimeout(resolve, HANGS_MS);
          });
          return fetch(request);
      }
    },
  };
}

function problem(
  status: number,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ id, message: "A bad day." }, { status, headers });
}
