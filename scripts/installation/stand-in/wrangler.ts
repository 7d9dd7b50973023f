/** The stand-in for Wrangler, as a program: the account is the file that `STAND_IN_STATE` names. For tests alone. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { answerOf, type StandInAccount } from "./account.ts";

const stateFile = process.env["STAND_IN_STATE"] ?? "";
const args = process.argv.slice(2);
const input = await text(process.stdin);
const account = JSON.parse(readFileSync(stateFile, "utf8")) as StandInAccount;
const { code, stdout, stderr, entries } = answerOf(account, process.cwd(), { args, input });
writeFileSync(stateFile, JSON.stringify(account));
appendFileSync(`${stateFile}.calls`, `${JSON.stringify(args)}\n`);
appendFileSync(
  process.env["WRANGLER_OUTPUT_FILE_PATH"] ?? "",
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
);
process.stdout.write(stdout);
process.stderr.write(stderr);
// As if the power failed after this command.
if (process.env["STAND_IN_KILLS_AT"] === args.slice(0, 2).join(" "))
  process.kill(process.ppid, "SIGKILL");
process.exitCode = code;
