import type { IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isJsonMap, type Json, readJson } from "#platform/json.ts";
import { printable } from "../operator/printable.ts";
import { type LoopbackServer, startLoopbackServer } from "../service/loopback-server.ts";
import { type DeliveryHeaders, verifyDelivery } from "./verify-delivery.ts";

export interface ListenerSettings {
  /** 0 takes a free one. */
  port: number;
  /** The webhook's secret or public key. */
  key: string;
  /** The answer to deliveries with a valid signature. */
  status: number;
  delayMs: number;
  /** The number of deliveries answered like this; all others get 204 at once. */
  first: number;
}

const REFUSED = 401;
const MAX_BYTES = 1024 * 1024;

/** A receiver of webhooks on loopback that verifies deliveries and prints them, a line after the other. */
export async function startListener(
  { port, key, status, delayMs, first }: ListenerSettings,
  print: (line: string) => void,
): Promise<LoopbackServer> {
  const seen = new Map<string, number>();
  let arrived = 0;

  const answerTo = async (request: IncomingMessage): Promise<number> => {
    const body = await bodyOf(request);
    const headers = request.headers as DeliveryHeaders;
    let kind: string;
    try {
      kind = verifyDelivery(key, body, headers, Date.now());
    } catch (error) {
      print(`REFUSED with ${REFUSED}: ${printable((error as Error).message)}`);
      return REFUSED;
    }
    arrived += 1;
    const id = headers["webhook-id"] ?? "";
    const times = (seen.get(id) ?? 0) + 1;
    seen.set(id, times);
    const isShaped = arrived <= first;
    const answer = isShaped ? status : 204;
    const how = isShaped && delayMs > 0 ? ` after ${delayMs / 1000} s` : "";
    print(
      [
        `${new Date().toISOString().slice(11, 19)}  ${describe(body)}`,
        `  ${printable(id)}, signed ${kind}${times > 1 ? `, for the ${ordinal(times)} time` : ""}; answered with ${answer}${how}`,
      ].join("\n"),
    );
    if (isShaped) await wait(delayMs);
    return answer;
  };

  return startLoopbackServer((request, response) => {
    answerTo(request).then(
      (answer) => response.writeHead(answer).end(),
      () => response.destroy(),
    );
  }, port);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error("The delivery is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** An event as its kind, its resource and its data; a chat message as its texts. */
function describe(body: string): string {
  const event = readJson(body);
  if (!isJsonMap(event)) return printable(body);
  const { type, sequence, data } = event;
  if (!isJsonMap(data) || typeof sequence !== "number")
    return textsIn(event).map(printable).join("\n          ");
  const { resource, ...rest } = data;
  const about = isJsonMap(resource) ? `${shown(resource["type"])} ${shown(resource["id"])}` : "";
  const told = Object.entries(rest).map(([name, value]) => `  ${name}: ${shown(value)}`);
  return [`${shown(type)}  ${about}  #${sequence}`, ...told].map(printable).join("\n        ");
}

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

function textsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonMap(value)) return [];
  return Object.entries(value).flatMap(([name, one]) =>
    name === "text" && typeof one === "string" ? [one] : textsIn(one),
  );
}

function ordinal(times: number): string {
  return times === 2 ? "second" : times === 3 ? "third" : `${times}th`;
}
