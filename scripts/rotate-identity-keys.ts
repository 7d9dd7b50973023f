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

try {
  const step = rotationSteps.find((one) => one === (process.argv[2] ?? "next"));
  if (step === undefined) throw new Error(`Usage: identity:keys -- ${rotationSteps.join(" | ")}`);
  const ring = process.stdin.isTTY ? "" : await text(process.stdin);
  console.log(await rotatedRing(ring, step));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
