import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";

it("the README's command makes the secrets once, for their owner alone", () => {
  const readme = readFileSync(path.join(projectRoot, "README.md"), "utf8");
  const [command = ""] = /^.*\(umask 077; node(?:.|\n)*? > \.dev\.vars\)$/m.exec(readme) ?? [];
  const folder = mkdtempSync(path.join(tmpdir(), "readme-"));
  const file = path.join(folder, ".dev.vars");
  try {
    execFileSync("sh", ["-e", "-c", command], { cwd: folder });
    const made = readFileSync(file, "utf8");
    expect(made).toMatch(/^BOOTSTRAP_API_KEY=[\w-]{43}\nSEALING_KEYS=k1:[\w+/]{43}=\n$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    execFileSync("sh", ["-e", "-c", command], { cwd: folder });
    expect(readFileSync(file, "utf8")).toBe(made);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
