/**
 * The network between the service and a cloud. Injects delays, failed calls, lost responses, and requests that take
 * effect after they were given up.
 */
import type { World } from "./kinds.ts";
import type { CloudCall, Platform } from "./platform.ts";

const CONFIG_HEADER = "x-mock-config";
/** Less than the longest time for which a request of the mock cloud is under way, which is a minute. */
const LONGEST_LATE_MS = 55_000;
/** Longer than any step may take. */
const NEVER_MS = 3_600_000;
/** The longest time until a call has reached the cloud and changed something there. */
const ARRIVAL_MS = 1_000;
const ordinary = [
  "throttled",
  "unavailable",
  "dropped",
  "droppedAfter",
  "unavailableAfter",
  "silent",
  "silentAfter",
  "lateAnswer",
  "refused",
  "fails",
] as const;
/** Only of creates: they take effect when the caller has its error, or none. */
const late = ["droppedBefore", "silentBefore", "unavailableBefore"] as const;

function error(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message: "The weather." }, { status, headers });
}

export type Fault = (typeof ordinary)[number] | (typeof late)[number];

/** The fault of the next call of this method to this kind of object. */
export interface ScriptedFault {
  method: string;
  kind: string;
  fault: Fault;
}

export class CloudNetwork {
  readonly #platform: Platform;
  readonly #world: Partial<World>;
  /** Faults besides those of the weather, each used once. */
  readonly script: ScriptedFault[] = [];
  /** Requests that were given up and will still arrive. */
  inFlight = 0;

  constructor(platform: Platform, world: Partial<World>) {
    this.#platform = platform;
    this.#world = world;
  }

  async carry(call: CloudCall): Promise<Response> {
    const { time, random, weather } = this.#platform;
    const { request } = call;
    const kind = new URL(request.url).pathname.split("/")[2];
    const isCreate = request.method === "POST" && kind?.startsWith("_") === false;
    const faults = isCreate && this.#world.late ? [...ordinary, ...late, ...late] : ordinary;
    const drawnMs = random.below(weather.readyAfterMs + 1);
    const readyAfterMs = weather.isStuck === true ? NEVER_MS : drawnMs;
    const drawn = random.chance(weather.cloud) ? faults[random.below(faults.length)] : undefined;
    const at = this.script.findIndex((one) => one.method === request.method && one.kind === kind);
    const [scripted] = at < 0 ? [] : this.script.splice(at, 1);
    const fault = scripted?.fault ?? drawn;
    const failing =
      fault === "fails" && isCreate
        ? { faults: [{ kind, on: "create", effect: "fails", times: 1_000_000 }] }
        : {};
    const outgoing = await this.#outgoing(request, { readyAfterMs, ...failing });
    const arrive = () => call.arrive(outgoing);
    switch (fault) {
      case "throttled":
        await time.wait(random.below(10));
        return error(429, "throttled", { "retry-after": String(1 + random.below(3)) });
      case "unavailable":
        await time.wait(random.below(10));
        return error(503, "unavailable");
      case "refused":
        await time.wait(random.below(10));
        return request.method === "GET" ? arrive() : error(403, "forbidden");
      case "dropped":
        await time.wait(random.below(10));
        throw new Error("Connection dropped.");
      case "droppedAfter":
        await arrive();
        throw new Error("Connection dropped.");
      case "unavailableAfter":
        await arrive();
        return error(503, "unavailable");
      case "silent":
        return new Promise(() => undefined);
      case "silentAfter":
        await arrive();
        return new Promise(() => undefined);
      case "droppedBefore":
        this.#arriveLater(arrive);
        throw new Error("Connection dropped.");
      case "unavailableBefore":
        this.#arriveLater(arrive);
        return error(503, "unavailable");
      case "silentBefore":
        this.#arriveLater(arrive);
        return new Promise(() => undefined);
      case "lateAnswer": {
        const answer = await arrive();
        await time.wait(random.below(40_000));
        return answer;
      }
      case "fails":
      case undefined:
        return arrive();
    }
  }

  #arriveLater(arrive: () => Promise<Response>): void {
    const { time, random } = this.#platform;
    this.inFlight += 1;
    time.after(random.below(LONGEST_LATE_MS), () => {
      void arrive().catch(() => undefined);
      // Not when it is answered: whoever asked may be dead.
      time.after(ARRIVAL_MS, () => (this.inFlight -= 1));
    });
  }

  /** A copy of the request that makes the cloud's new objects ready later, or never. */
  async #outgoing(
    request: Request,
    config: { readyAfterMs: number; faults?: unknown[] },
  ): Promise<Request> {
    const headers = new Headers(request.headers);
    const known = JSON.parse(headers.get(CONFIG_HEADER) ?? "{}") as { operations?: object };
    const { operations } = known;
    const slow = this.#platform.weather.isStuck === true && operations !== undefined;
    headers.set(
      CONFIG_HEADER,
      JSON.stringify({
        ...known,
        ...config,
        ...(slow
          ? { operations: { ...operations, takesMs: NEVER_MS, forgottenAfterMs: undefined } }
          : {}),
      }),
    );
    const body = request.body === null ? undefined : await request.text();
    return new Request(request.url, {
      method: request.method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  }
}
