/**
 * Makes and rotates the keys that sign the tokens of runs. Reads the secret's value from the standard input, if it is not
 * a terminal, and prints the next value; nothing is stored.
 *
 *   npm run --silent identity:keys -- next < ring     a new key is published, the present one signs
 *   npm run --silent identity:keys -- use  < ring     the new key signs, the present one stays published
 *   npm run --silent identity:keys -- drop < ring     only the key that signs is left
 *
 * Without a ring, `next` prints one with a first key. docs/federation.md says when to take each step.
 */
import { text } from "node:stream/consumers";
import { rotatedRing, rotationSteps } from "./operator/identity-ring.ts";
import { runCommand, UsageError } from "./operator/run-command.ts";

await runCommand(
  {
    usage: `Usage: identity:keys -- ${rotationSteps.join(" | ")}`,
    options: {},
    positionals: { least: 0, most: 1 },
  },
  async ({ positionals: [wanted = "next"] }) => {
    const step = rotationSteps.find((one) => one === wanted);
    if (step === undefined) throw new UsageError();
    const ring = process.stdin.isTTY ? "" : await text(process.stdin);
    console.log(await rotatedRing(ring, step));
    return 0;
  },
);
