/**
 * Reads imports that call the functions named in its arguments, in a process of its own whose memory the caller limits.
 * Two numbers in the arguments pick the calls of each function: the first, and the distance to the next.
 * Prints each call before it, so that the last call is known if the memory is not enough, and prints the slowest call.
 */
import { acceptFiles } from "#areas/imports/accept-files.ts";
import { analyse } from "#areas/imports/analyse.ts";
import { builtAssets } from "./built-assets.ts";
import { hostileCalls } from "./hostile-calls.ts";
import { processorTime } from "./processor-time.ts";

const options = { adopt: false, assets: builtAssets };
const read = async (content: string) =>
  analyse(await acceptFiles([{ path: "main.tf", content }]), undefined, options);
await read('resource "aws_sqs_queue" "jobs" {}\n');
let worst = { what: "", seconds: 0 };
const [first = "0", every = "1", ...names] = process.argv.slice(2);
for (const [of, name] of names.entries())
  for (const [at, { what, content }] of hostileCalls(name).entries()) {
    if ((at + of) % Number(every) !== Number(first) % Number(every)) continue;
    console.log(JSON.stringify({ at: what }));
    const spentMs = processorTime();
    const { state } = await read(content);
    const seconds = spentMs() / 1000;
    if (!state.startsWith("COMPLETED")) throw new Error(`${what}: ${state}`);
    if (seconds > worst.seconds) worst = { what, seconds };
  }
console.log(JSON.stringify(worst));
