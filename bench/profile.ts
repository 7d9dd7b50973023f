/**
 * `node bench/profile.ts "GET one, key cached" [bare]`: where the CPU time of a row of bench/http.ts, or of `webhooks`,
 * goes, by the profiler of workerd. Prints the shares of the modules and of the functions that take most of it, without
 * what they call.
 */
import { readFile } from "node:fs/promises";
import { freePort } from "../scripts/service/port.ts";
import { comparisons } from "./http.ts";
import { load, warmUp } from "./load.ts";
import { printTable } from "./print-table.ts";
import { startWorkers } from "./start-workers.ts";
import { startSenders } from "./webhooks.ts";

const CONNECTIONS = 16;
const WARM_UPS = 3;
const WINDOWS = 4;
const SHOWN = 30;
const SAMPLE_US = 100;

/** Of the DevTools protocol (https://chromedevtools.github.io/devtools-protocol/v8/Profiler/). */
interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  /** Microseconds before each sample. */
  timeDeltas: number[];
}

/** Takes a profile of the Worker while the work runs. `listAt`: where its inspector lists its targets. */
async function profileOf(
  worker: string,
  listAt: string,
  work: () => Promise<unknown>,
): Promise<Profile> {
  const listed = (await (await fetch(listAt)).json()) as { webSocketDebuggerUrl: string }[];
  const url = listed
    .map(({ webSocketDebuggerUrl }) => webSocketDebuggerUrl)
    .find((one) => one.endsWith(worker));
  if (url === undefined) throw new Error(`The inspector lists no ${worker}.`);
  const socket = new WebSocket(url);
  const opened = Promise.withResolvers<unknown>();
  socket.addEventListener("open", opened.resolve);
  socket.addEventListener("error", opened.reject);
  await opened.promise;
  const answers = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) answers.get(id)?.(result);
  });
  let lastId = 0;
  const ask = (method: string, params = {}): Promise<unknown> => {
    lastId += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    answers.set(lastId, resolve);
    socket.send(JSON.stringify({ id: lastId, method, params }));
    return promise;
  };
  await ask("Profiler.enable");
  await ask("Profiler.setSamplingInterval", { interval: SAMPLE_US });
  await ask("Profiler.start");
  await work();
  const { profile } = (await ask("Profiler.stop")) as { profile: Profile };
  socket.close();
  return profile;
}

/** The module of each line of a bundle, by the comments that esbuild puts before them. */
async function modulesOf(bundle: string): Promise<string[]> {
  let module = "";
  return (await readFile(bundle, "utf8")).split("\n").map((line) => {
    if (/^\/\/ \S+\.[cm]?[jt]sx?$/.test(line)) module = line.slice(3);
    return module;
  });
}

function printShares(title: string, time: ReadonlyMap<string, number>): void {
  const total = [...time.values()].reduce((sum, us) => sum + us, 0);
  const most = [...time].sort(([, one], [, other]) => other - one).slice(0, SHOWN);
  printTable(
    title,
    ["", "share"],
    most.map(([name, us]) => [name, `${((100 * us) / total).toFixed(1)} %`]),
  );
}

interface Work {
  name: string;
  run: () => Promise<unknown>;
  end?: () => Promise<void>;
}

async function workOf(name: string): Promise<Work> {
  if (name === "webhooks") {
    const senders = await startSenders(workers);
    return { name, run: worker === "bare" ? senders.bare : senders.service, end: senders.close };
  }
  const rows = await comparisons(workers);
  const row = rows.find((one) => one.name.includes(name));
  if (row === undefined)
    throw new Error(`No row has "${name}": webhooks; ${rows.map((one) => one.name).join("; ")}`);
  const source = { connections: CONNECTIONS, pid: workers.pid };
  const target = worker === "bare" ? row.bare : row.service;
  await warmUp(target, source);
  return { name: row.name, run: () => load(target, source) };
}

const [wanted = "GET one, key cached", worker = "service"] = process.argv.slice(2);
const inspectorPort = await freePort();
const workers = await startWorkers({}, { inspectorPort });
try {
  const { name: title, run, end } = await workOf(wanted);
  for (let times = 0; times < WARM_UPS; times += 1) await run();
  const profile = await profileOf(worker, `http://127.0.0.1:${inspectorPort}/json`, async () => {
    for (let times = 0; times < WINDOWS; times += 1) await run();
  });
  await end?.();
  const modules = await modulesOf(workers.inspected?.bundle ?? "");
  const nodes = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const byModule = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let idleUs = 0;
  let runUs = 0;
  for (const [at, id] of profile.samples.entries()) {
    const { functionName = "", url = "", lineNumber = 0 } = nodes.get(id) ?? {};
    const us = profile.timeDeltas[at] ?? 0;
    if (functionName === "(idle)") {
      idleUs += us;
      continue;
    }
    runUs += us;
    const isOurs = worker !== "bare" && url.endsWith("worker.js");
    const module = isOurs ? (modules[lineNumber] ?? "") : url || "the platform";
    byModule.set(module, (byModule.get(module) ?? 0) + us);
    const name = `${functionName || "(unnamed)"} ${module}`;
    byFunction.set(name, (byFunction.get(name) ?? 0) + us);
  }
  // The rest is D1, queues, the network and the load itself: in workerd, all on the same thread.
  console.log(
    `The isolate ran for ${((100 * runUs) / (runUs + idleUs)).toFixed(0)} % of the time.`,
  );
  printShares(`${title}, ${worker}: modules`, byModule);
  printShares(`${title}, ${worker}: functions`, byFunction);
} finally {
  await workers.stop();
}
