import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";
const root = process.env["CASES"] ?? "/work/shared/cases/imports";
function files(dir: string): string[] {
  return readdirSync(dir).flatMap((e) =>
    statSync(join(dir, e)).isDirectory() ? files(join(dir, e)) : [join(dir, e)],
  );
}
it("cases", async () => {
  let out = "";
  for (const name of readdirSync(root)) {
    const dir = join(root, name);
    const log = new ImportLog();
    const given = files(dir).map((f) => ({ path: relative(dir, f), content: readFileSync(f) }));
    const reading = await readImport(
      given.map(({ path, content }) => ({ path, text: content.toString("utf8") }) as never),
      undefined,
      log,
      { adopt: name.includes("adopt"), assets: builtAssets },
    );
    out += `\n======== ${name}\n`;
    for (const { path, content } of given) out += `--- ${path}\n${content.toString("utf8")}\n`;
    out += `--- warnings ${JSON.stringify((log as any).list?.() ?? (log as any).warnings ?? Object.keys(log))}\n`;
    for (const d of reading.drafts)
      out += `--- DRAFT ${JSON.stringify({ ...d, source: undefined })}\n${d.source}\n`;
  }
  writeFileSync("/work/h/w-arm-tmp/cases.out", out);
}, 120_000);
