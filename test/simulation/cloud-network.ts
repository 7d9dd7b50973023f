/** The network between the service and a cloud. Injects delays, failed calls, and lost responses. */
import type { CloudCall, Platform } from "./platform.ts";

const CONFIG_HEADER = "x-mock-config";
const faults = [
  "throttled",
  "unavailable",
  "dropped",
  "droppedAfter",
  "unavailableAfter",
  "silent",
  "silentAfter",
  "late",
  "refused",
  "fails",
] as const;

function error(status: number, code: string, headers: Record<string, string> = {}): Response {
  return Response.json({ code, message: "The weather." }, { status, headers });
}

/** A copy of the request that makes the cloud's new objects ready later, or never. */
async function copy(
  request: Request,
  config: { readyAfterMs: number; faults?: unknown[] },
): Promise<Request> {
  const headers = new Headers(request.headers);
  const known = JSON.parse(headers.get(CONFIG_HEADER) ?? "{}") as object;
  headers.set(CONFIG_HEADER, JSON.stringify({ ...known, ...config }));
  const body = request.body === null ? undefined : await request.text();
  return new Request(request.url, {
    method: request.method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
}

export function cloudNetworkOf(platform: Platform): (call: CloudCall) => Promise<Response> {
  const { time, random } = platform;
  return async ({ request, arrive }) => {
    const { weather } = platform;
    const readyAfterMs = random.below(weather.readyAfterMs + 1);
    const fault = random.chance(weather.cloud) ? faults[random.below(faults.length)] : undefined;
    const kind = new URL(request.url).pathname.split("/")[2];
    const failing =
      fault === "fails" && request.method === "POST"
        ? { faults: [{ kind, on: "create", effect: "fails", times: 1_000_000 }] }
        : {};
    const outgoing = await copy(request, { readyAfterMs, ...failing });
    switch (fault) {
      case "throttled":
        await time.wait(random.below(10));
        return error(429, "throttled", { "retry-after": String(1 + random.below(3)) });
      case "unavailable":
        await time.wait(random.below(10));
        return error(503, "unavailable");
      case "refused":
        await time.wait(random.below(10));
        return request.method === "GET" ? arrive(outgoing) : error(403, "forbidden");
      case "dropped":
        await time.wait(random.below(10));
        throw new Error("Connection dropped.");
      case "droppedAfter":
        await arrive(outgoing);
        throw new Error("Connection dropped.");
      case "unavailableAfter":
        await arrive(outgoing);
        return error(503, "unavailable");
      case "silent":
        return new Promise(() => undefined);
      case "silentAfter":
        await arrive(outgoing);
        return new Promise(() => undefined);
      case "late": {
        const answer = await arrive(outgoing);
        await time.wait(random.below(40_000));
        return answer;
      }
      case "fails":
      case undefined:
        return arrive(outgoing);
    }
  };
}
