/**
 * The receivers of the tenant's webhooks. By the weather they fail, hang, or answer late; what they have accepted they
 * may get again. Any other host does not exist.
 */
import type { Random } from "./random.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** The receivers' addresses and the events that each subscribes to. */
export const receiverUrls: Readonly<Record<string, readonly string[]>> = {
  "everything.receiver.example.com/": ["*"],
  "ends.receiver.example.com/": ["deployment.succeeded", "deployment.failed"],
};

const faults = ["dropped", "refused", "busy", "hangs", "lost", "late", "movedAway"] as const;

export class Receivers {
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #failing: () => number;
  /** By webhook, the body that was accepted under each id. */
  readonly accepted = new Map<string, Map<string, string>>(
    Object.keys(receiverUrls).map((name) => [`https://${name}`, new Map()]),
  );
  /** Called with what arrives, accepted or not. */
  arrived: (url: string, id: string, body: string) => void = () => undefined;

  constructor(parts: { time: VirtualTime; random: Random; failing: () => number }) {
    this.#time = parts.time;
    this.#random = parts.random;
    this.#failing = parts.failing;
  }

  /** Replaces `fetch`. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const accepted = this.accepted.get(request.url);
    if (accepted === undefined) throw new Error(`There is no host for ${request.url}.`);
    const id = request.headers.get("webhook-id") ?? "";
    const body = await request.text();
    await this.#time.wait(this.#random.below(20));
    const fails = this.#random.chance(this.#failing());
    const fault = fails ? faults[this.#random.below(faults.length)] : undefined;
    if (fault === "dropped") throw new Error("Connection dropped.");
    this.arrived(request.url, id, body);
    if (fault === "refused") return new Response("Out of order", { status: 500 });
    if (fault === "movedAway")
      return new Response(null, { status: 307, headers: { location: "https://a.example.com/" } });
    if (fault === "busy")
      return new Response(null, { status: 429, headers: { "retry-after": "2" } });
    if (fault === "hangs") return new Promise(() => undefined);
    accepted.set(id, body);
    if (fault === "lost") throw new Error("Connection dropped.");
    if (fault === "late") await this.#time.wait(this.#random.below(20_000));
    return new Response("ok");
  };
}
