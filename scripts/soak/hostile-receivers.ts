/**
 * The receivers of a soak, on one loopback server: good ones that verify every signature, and some that are slow, fail,
 * hang, redirect, answer garbage or hang up. Each path belongs to one webhook of one tenant.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Random } from "#test/simulation/random.ts";
import { type LoopbackServer, startLoopbackServer } from "../service/loopback-server.ts";
import type { Canaries } from "./canaries.ts";

export const moods = ["good", "slow", "fails", "hangs", "redirects", "garbage", "closes"] as const;
export type Mood = (typeof moods)[number];

export interface Arrival {
  path: string;
  mood: Mood;
  /** The tenant that the path was given to. */
  owner: string;
  id: string;
  tenantId: string;
  type: string;
  resourceId: string;
  sequence: number;
  /** Digest of the body, and of the body without its sequence. */
  digest: string;
  digestWithoutSequence: string;
  /** Whether the answer was 204. */
  accepted: boolean;
}

interface Address {
  path: string;
  mood: Mood;
  owner: string;
  webhook: Webhook | undefined;
}

const MAX_SLOW_MS = 4_000;
const FAIL_CHANCE = 0.6;

export class HostileReceivers {
  readonly arrivals: Arrival[] = [];
  /** Forbidden arrivals: bad signatures, requests to unknown paths. */
  readonly wrong: string[] = [];
  readonly #addresses = new Map<string, Address>();
  readonly #random: Random;
  readonly #canaries: Canaries;
  #server: LoopbackServer | undefined;

  private constructor(random: Random, canaries: Canaries) {
    this.#random = random;
    this.#canaries = canaries;
  }

  static async start(random: Random, canaries: Canaries): Promise<HostileReceivers> {
    const receivers = new HostileReceivers(random, canaries);
    receivers.#server = await startLoopbackServer((request, response) => {
      receivers.#take(request, response).catch(() => response.destroy());
    });
    return receivers;
  }

  /** A URL for one webhook of the tenant. Until its secret is known, it answers 500. */
  addressFor(owner: string, mood: Mood): string {
    const path = `/${mood}/${this.#addresses.size}`;
    this.#addresses.set(path, { path, mood, owner, webhook: undefined });
    return new URL(path, this.#server?.url).href;
  }

  setSecret(url: string, secret: string): void {
    const address = this.#addresses.get(new URL(url).pathname);
    if (address !== undefined) address.webhook = new Webhook(secret);
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = this.#addresses.get(request.url ?? "");
    const body = Buffer.concat(await request.toArray()).toString();
    this.#canaries.look(`a delivery to ${request.url}`, body);
    if (address === undefined) {
      this.wrong.push(`${request.method} ${request.url}, where no webhook points`);
      response.writeHead(404).end();
      return;
    }
    const { mood, webhook } = address;
    if (webhook === undefined) {
      response.writeHead(500).end();
      return;
    }
    const headers = request.headers as Record<string, string>;
    try {
      webhook.verify(body, headers);
    } catch (error) {
      this.wrong.push(
        `${request.url} got a bad signature for ${headers["webhook-id"]}: ${String(error)}`,
      );
      response.writeHead(401).end();
      return;
    }
    const arrival = this.#note(address, headers["webhook-id"] ?? "", body);
    await this.#answer(mood, arrival, response);
  }

  #note({ path, mood, owner }: Address, id: string, body: string): Arrival {
    const event = JSON.parse(body) as {
      id: string;
      tenantId: string;
      type: string;
      sequence: number;
      data: { resource?: { id?: string } };
    };
    if (event.id !== id) this.wrong.push(`${path} got ${event.id} under the id ${id}`);
    const { sequence, ...rest } = event;
    const arrival = {
      path,
      mood,
      owner,
      id,
      tenantId: event.tenantId,
      type: event.type,
      resourceId: event.data.resource?.id ?? "",
      sequence,
      digest: digestOf(body),
      digestWithoutSequence: digestOf(JSON.stringify(rest)),
      accepted: false,
    };
    this.arrivals.push(arrival);
    return arrival;
  }

  async #answer(mood: Mood, arrival: Arrival, response: ServerResponse): Promise<void> {
    const accept = (): void => {
      arrival.accepted = true;
      response.writeHead(204).end();
    };
    switch (mood) {
      case "good":
        return accept();
      case "slow":
        await wait(this.#random.below(MAX_SLOW_MS));
        return accept();
      case "fails":
        if (!this.#random.chance(FAIL_CHANCE)) return accept();
        response.writeHead(500).end("no");
        return;
      case "hangs":
        return;
      case "redirects":
        response.writeHead(302, { location: `/stranger${arrival.path}` }).end();
        return;
      case "garbage":
        response.writeHead(400, { "content-type": "text/html" });
        response.end("\0<script>alert(1)</script>".repeat(4_000));
        return;
      case "closes":
        response.destroy();
    }
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
