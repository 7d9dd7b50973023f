/**
 * The mock cloud's API on loopback, in the test's own process: it survives the service, remembers every change it was
 * asked for, and lets a test act between a change and its answer.
 */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

export interface LedgerEntry {
  verb: "create" | "update" | "delete";
  name: string;
  id: string;
}

export interface StandInCloud {
  url: string;
  ledger: readonly LedgerEntry[];
  /** Names of what is there now. */
  names: () => string[];
  /** Deletes an object, as a person would at the cloud. */
  remove: (id: string) => void;
  /** Called after each change is made and before it is answered. */
  afterChange: (entry: LedgerEntry) => Promise<void> | void;
  close: () => Promise<void>;
}

interface CloudObject {
  id: string;
  kind: string;
  name: string;
  properties: Record<string, unknown>;
}

/** `tokens: "none"`: it ignores idempotency keys, so a create that is sent twice makes two objects. */
export async function startStandInCloud(
  latencyMs: number,
  { tokens = "kept" }: { tokens?: "kept" | "none" } = {},
): Promise<StandInCloud> {
  const objects = new Map<string, CloudObject>();
  const answers = new Map<string, CloudObject>();
  const ledger: LedgerEntry[] = [];
  const cloud: StandInCloud = {
    url: "",
    ledger,
    names: () => [...objects.values()].map(({ name }) => name).sort(),
    remove: (id) => {
      const object = objects.get(id);
      if (object === undefined) throw new Error(`There is no object ${id}`);
      objects.delete(id);
      ledger.push({ verb: "delete", name: object.name, id });
    },
    afterChange: () => {},
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
  const view = ({ id, properties }: CloudObject) => ({
    id,
    status: "ready",
    ...properties,
  });
  const change = async (verb: LedgerEntry["verb"], object: CloudObject): Promise<void> => {
    const entry = { verb, name: object.name, id: object.id };
    ledger.push(entry);
    await cloud.afterChange(entry);
  };

  const answer = async (request: IncomingMessage): Promise<{ status: number; body?: unknown }> => {
    const url = new URL(request.url ?? "/", "http://cloud.invalid");
    const [, , kind = "", id] = url.pathname.split("/");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if (request.method === "POST") {
      const key = String(request.headers["idempotency-key"]);
      const earlier = tokens === "none" ? undefined : answers.get(key);
      if (earlier !== undefined) return { status: 201, body: view(earlier) };
      const properties = JSON.parse(text) as { name: string };
      const object = {
        id: randomUUID(),
        kind,
        name: properties.name,
        properties,
      };
      objects.set(object.id, object);
      answers.set(key, object);
      await change("create", object);
      return { status: 201, body: view(object) };
    }
    if (id === undefined) {
      const name = url.searchParams.get("name");
      const found = [...objects.values()].filter(
        (object) => object.kind === kind && (name === null || object.name === name),
      );
      return { status: 200, body: { data: found.map(view) } };
    }
    const object = objects.get(id);
    if (object === undefined)
      return {
        status: 404,
        body: { code: "not_found", message: "There is none." },
      };
    if (request.method === "DELETE") {
      objects.delete(id);
      await change("delete", object);
      return { status: 204 };
    }
    if (request.method === "PATCH") {
      Object.assign(object.properties, JSON.parse(text));
      await change("update", object);
    }
    return { status: 200, body: view(object) };
  };

  const server = createServer((request, response) => {
    const send = async (): Promise<void> => {
      const { status, body } = await answer(request);
      await new Promise((resolve) => {
        setTimeout(resolve, latencyMs);
      });
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    };
    send().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cloud.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return cloud;
}
