/**
 * `npm run listen`: receives the deliveries of a webhook on loopback, verifies their signatures and prints them. Reads
 * the webhook's secret or public key from the standard input, so that it is in no list of processes and no history. With
 * `--status` or `--delay` it answers as a receiver that fails or is slow, to show retries and the circuit.
 */
import { createInterface } from "node:readline";
import { runCommand } from "./operator/run-command.ts";
import { startListener } from "./receiver/listener.ts";
import { choosePort, portIsFree } from "./service/port.ts";
import { stopSignal } from "./service/stop-signal.ts";

const USAGE =
  "Usage: npm run listen -- [--port 9099] [--status 503] [--delay <seconds>] [--first <deliveries>]";
const stop = stopSignal();

await runCommand(
  {
    usage: USAGE,
    options: {
      port: { type: "string", default: "9099" },
      status: { type: "string", default: "204" },
      delay: { type: "string", default: "0" },
      first: { type: "string" },
    },
  },
  async ({ values }) => {
    const port = await choosePort(values.port, "--port");
    const settings = {
      status: number("--status", values.status, 200, 599),
      delayMs: 1000 * number("--delay", values.delay, 0, 600),
      first: values.first === undefined ? Infinity : number("--first", values.first, 1, 1_000_000),
    };
    if (!(await portIsFree(port)))
      throw new Error(`Port ${port} is in use. Stop what listens there, or give another --port.`);
    const key = await ask();
    const listener = await startListener({ port, key, ...settings }, (line) => console.log(line));
    console.log(`Listening at ${listener.url}. Ctrl+C ends it.`);
    if (!stop.aborted)
      await new Promise((resolve) => {
        stop.addEventListener("abort", resolve, { once: true });
      });
    await listener.close();
    // The watch of npm would keep the process.
    process.exit(0);
  },
);

async function ask(): Promise<string> {
  process.stdout.write("secret (whsec_…) or public key (whpk_…): ");
  let key = "";
  // Ends also where the input ends, or with Ctrl+C.
  for await (const line of createInterface({ input: process.stdin, signal: stop })) {
    key = line.trim();
    break;
  }
  if (!/^(?:whsec_|whpk_)\S+$/.test(key))
    throw new Error(
      "The answer to POST /webhooks has a secret that begins with whsec_, or a publicKey that begins with whpk_.",
    );
  return key;
}

function number(name: string, text: string, least: number, most: number): number {
  if (!/^\d{1,7}$/.test(text) || Number(text) < least || Number(text) > most)
    throw new Error(`${name} is "${text}", but must be a whole number from ${least} to ${most}.`);
  return Number(text);
}
