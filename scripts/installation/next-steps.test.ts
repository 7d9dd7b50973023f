import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { nextSteps } from "./next-steps.ts";

it("the command that reads the operator's key hands it on to the programs that take it", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "next-steps-"));
  try {
    writeFileSync(path.join(folder, "s.json"), JSON.stringify({ BOOTSTRAP_API_KEY: "a$b" }));
    const command = nextSteps({
      address: "https://control.example.com",
      vars: {},
      config: "wrangler.installation.json",
      installationFile: "installation.jsonc",
      secretsFile: "s.json",
      wasRunning: false,
    }).find((line) => line.includes("OPERATOR_KEY="));
    const child = `"${process.execPath}" -p 'process.env.OPERATOR_KEY'`;
    const output = execFileSync("sh", ["-c", `${command ?? ""}\n${child}`], {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"] },
    });
    expect(output).toBe("a$b\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
