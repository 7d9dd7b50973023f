/**
 * Reads every Pulumi YAML program of a folder and compares the engine's reading with an independent one:
 * `npm run pulumi-programs -- <folder>`. Prints one line per program and exits with 1 if a reading is wrong.
 */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { verdictOn } from "./reading-verdict.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error(
    "Usage: npm run pulumi-programs -- <folder>\nThe folder contains Pulumi YAML programs (*.yaml), for example those of pulumi/pulumi-yaml.",
  );
  process.exit(2);
}

const files = (await readdir(folder, { recursive: true }).catch(() => []))
  .filter((name) => /\.ya?ml$/.test(name))
  .toSorted();
if (files.length === 0) {
  console.error(`There is no folder ${folder} with Pulumi YAML programs (*.yaml).`);
  process.exit(2);
}
const counts = { "same graph": 0, diagnostic: 0, WRONG: 0 };
for (const file of files) {
  const verdict = verdictOn(await readFile(path.join(folder, file), "utf8"));
  counts[verdict.kind]++;
  console.log(`${file}: ${sentenceOf(verdict)}`);
}
console.log(
  `${files.length} programs: ${counts["same graph"]} same graph, ${counts.diagnostic} documented diagnostic, ${counts.WRONG} wrong.`,
);
if (counts.WRONG > 0) process.exitCode = 1;

function sentenceOf(verdict: ReturnType<typeof verdictOn>): string {
  if (verdict.kind === "same graph") return verdict.kind;
  if (verdict.kind === "WRONG") return `WRONG: ${verdict.reason}`;
  const [first = "", ...more] = verdict.errors;
  const rest = more.length === 0 ? "" : ` and ${more.length} more`;
  return `diagnostic ${first.replace(" ", " at ")}${rest}`;
}
