/** What any user of this machine finds of a service's processes: ports, sockets, files and command lines. Linux alone. */
import { readdir, readFile, readlink, stat } from "node:fs/promises";
import { request } from "node:http";
import path from "node:path";

const LISTENING = "0A";
const ACCEPTS = 0x1_00_00;
const TIMEOUT_MS = 3_000;

export interface ListeningPort {
  pid: number;
  /** As `/proc/net/tcp` and `tcp6` write it. */
  address: string;
  port: number;
}

/** All TCP ports, of any address, at which one of the processes listens. */
export async function listeningPorts(pids: readonly number[]): Promise<ListeningPort[]> {
  const tables = await Promise.all(["tcp", "tcp6"].map(linesOf));
  const sockets = new Map(
    tables.flat().flatMap((line) => {
      const [, local = "", , state, , , , , , inode = ""] = line.trim().split(/\s+/);
      const [address = "", port = ""] = local.split(":");
      return state === LISTENING
        ? [[inode, { address, port: Number.parseInt(port, 16) }] as const]
        : [];
    }),
  );
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await openOf(pid)).flatMap((target) => {
        const socket = sockets.get(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? "");
        return socket === undefined ? [] : [{ pid, ...socket }];
      }),
    ),
  );
  return [...new Map(found.flat().map((one) => [`${one.address}:${one.port}`, one])).values()];
}

/** Names of the Unix sockets at which one of the processes listens. */
export async function listeningSockets(pids: readonly number[]): Promise<string[]> {
  const open = new Set((await Promise.all(pids.map(openOf))).flat());
  return (await linesOf("unix")).flatMap((line) => {
    const [, , , flags = "0", , , inode = "", name = "(unnamed)"] = line.trim().split(/\s+/);
    const listens = (Number.parseInt(flags, 16) & ACCEPTS) !== 0;
    return listens && open.has(`socket:[${inode}]`) ? [name] : [];
  });
}

/** The files that the processes have open and others could open too. `except`: folders of what is no secret. */
export async function openToOthers(
  pids: readonly number[],
  except: readonly string[],
): Promise<string[]> {
  const open = new Set((await Promise.all(pids.map(openOf))).flat());
  const files = [...open].filter(
    (file) => file.startsWith("/") && !except.some((folder) => file.startsWith(folder)),
  );
  const seen = await Promise.all(files.map(async (file) => ((await isClosed(file)) ? [] : [file])));
  return seen.flat();
}

async function isClosed(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  // Deleted while it was open, or no file.
  if (found?.isFile() !== true) return true;
  if ((found.mode & 0o077) === 0) return true;
  return isClosedFolder(path.dirname(file));
}

async function isClosedFolder(folder: string): Promise<boolean> {
  if (((await stat(folder)).mode & 0o011) === 0) return true;
  const parent = path.dirname(folder);
  return parent !== folder && isClosedFolder(parent);
}

/** The arguments of the process, which every user can read. */
export async function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8");
}

/** Asks as a page of another site would. `upgrade`: for a WebSocket. Status 0: there was no answer. */
export async function ask(
  port: number,
  url: string,
  { upgrade = false }: { upgrade?: boolean } = {},
): Promise<{ status: number; text: string }> {
  const headers = {
    origin: "https://evil.example",
    ...(upgrade
      ? {
          connection: "Upgrade",
          upgrade: "websocket",
          "sec-websocket-version": "13",
          "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        }
      : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path: url, headers, timeout: TIMEOUT_MS });
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, text: "" });
    });
    sent.on("response", (response) => {
      let text = "";
      response
        .setEncoding("utf8")
        .on("data", (part: string) => (text += part))
        .on("end", () => {
          resolve({ status: response.statusCode ?? 0, text });
        })
        .on("error", reject);
    });
    sent.on("timeout", () => {
      sent.destroy();
      resolve({ status: 0, text: "" });
    });
    sent.on("error", reject);
    sent.end();
  });
}

async function linesOf(name: string): Promise<string[]> {
  return (await readFile(`/proc/net/${name}`, "utf8")).trim().split("\n").slice(1);
}

async function openOf(pid: number): Promise<string[]> {
  const names = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => ""));
  return Promise.all(targets);
}
