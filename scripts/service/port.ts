import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

const FREE_STEP_MS = 50;

/** Parses a port setting: 8787 if undefined or empty, a free port for 0. Throws when it is not a port. */
export async function choosePort(text: string | undefined, name = "PORT"): Promise<number> {
  const given = text === undefined || text === "" ? "8787" : text;
  if (!/^\d{1,5}$/.test(given) || Number(given) > 65_535)
    throw new Error(`${name} is "${given}", but must be a number between 0 and 65535.`);
  return Number(given) === 0 ? freePort() : Number(given);
}

/** A port of 127.0.0.1 that is currently free. */
export async function freePort(): Promise<number> {
  const port = await listenOnce(0);
  if (port === undefined) throw new Error("No port of 127.0.0.1 is free.");
  return port;
}

export async function portIsFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== undefined;
}

/** Waits until the port is free; false when it is not by then. A process that was just killed still has its sockets. */
export async function portGetsFree(port: number, withinMs: number): Promise<boolean> {
  const until = performance.now() + withinMs;
  while (!(await portIsFree(port))) {
    if (performance.now() > until) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, FREE_STEP_MS);
    });
  }
  return true;
}

async function listenOnce(port: number): Promise<number | undefined> {
  const server = createServer();
  try {
    server.listen({ port, host: "127.0.0.1", exclusive: true });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  } finally {
    await new Promise((closed) => {
      server.close(closed);
    });
  }
}
