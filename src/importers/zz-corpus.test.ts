import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { it } from "vitest";
import { ImportLog } from "#importers/import-log.ts";
import { readImport } from "#importers/read-import.ts";
import { builtAssets } from "#test/support/built-assets.ts";
import { describeRead, readSource } from "#engine/template/describe.ts";
import { catalogueFor } from "#providers/catalogue/catalogue.ts";
const repos = "/work/h/arm-repos";
function files(dir: string): string[] {
  return readdirSync(dir).flatMap((e) =>
    statSync(join(dir, e)).isDirectory() ? files(join(dir, e)) : [join(dir, e)],
  );
}
const set = process.env["SET"] ?? "qs";
const step = Number(process.env["STEP"] ?? 1);
const only = process.env["ONLY"];
it("corpus", async () => {
  const all = files(join(repos, set)).filter((f) => /\.jsonc?$/.test(f)).toSorted();
  const projects: [string, string[]][] = [];
  if (set === "qs" || set === "stack") {
    const dirs = all.filter((f) => /\/azuredeploy\.json$/.test(f)).map((f) => f.slice(0, -"azuredeploy.json".length));
    const own = new Set(dirs);
    for (const d of dirs) {
      if ([...own].some((o) => o !== d && d.startsWith(o))) continue;
      projects.push([d, all.filter((f) => f.startsWith(d))]);
    }
  } else for (const f of all) projects.push([f, [f]]);
  const sum: Record<string, number> = { projects: 0, files: 0, drafts: 0, nosource: 0, resources: 0, mapped: 0, partly: 0, not: 0, asked: 0, bad: 0, failed: 0, slow: 0 };
  const net = { ...sum };
  const reasons = new Map<string, number>();
  let worst = 0, worstName = "";
  const lines: string[] = [];
  for (const [name, group] of projects.filter((_, at) => at % step === 0)) {
    if (only && !name.includes(only)) continue;
    const log = new ImportLog();
    const started = performance.now();
    let reading;
    try {
      reading = await readImport(
        group.map((f) => ({ path: relative(group.length === 1 ? join(f, "..") : name, f), text: readFileSync(f, "utf8").replace(/^\uFEFF/, "") })) as never,
        undefined, log, { adopt: false, assets: builtAssets } as never);
    } catch (e) { sum.failed++; lines.push(`FAILED ${name} ${(e as Error).stack}`); continue; }
    const took = performance.now() - started;
    if (took > worst) { worst = took; worstName = name; }
    for (const s of [sum, ...(/\/network\//.test(name) ? [net] : [])]) { s.projects++; s.files += group.length; }
    for (const d of reading.drafts) {
      if (d.format !== "arm") continue;
      for (const s of [sum, ...(/\/network\//.test(name) ? [net] : [])]) {
        s.drafts++; s.mapped += d.mapped; s.partly += d.partlyMapped; s.not += d.notMapped; s.resources += d.mapped + d.partlyMapped + d.notMapped; s.asked += d.unresolved.length;
        if (d.source === null) s.nosource++;
      }
      if (d.source !== null) {
        const read = readSource(d.source);
        const types = [...d.source.matchAll(/^    type: (azure:\S+)$/gm)].map((m) => m[1]!);
        const r: any = (describeRead as any)(read, await (catalogueFor as any)(read.types, builtAssets));
        const diags = r.diagnostics ?? r.description?.diagnostics ?? [];
        if (diags.some((x: any) => x.severity === "error")) { sum.bad++; lines.push(`BAD ${name} ${JSON.stringify(diags.filter((x: any) => x.severity === "error").slice(0, 3))}`); }
      }
      for (const g of d.unsupported) {
        const r = `${g.code}: ${g.reason.replace(/`[^`]*`/g, (m) => (/function/.test(g.reason) ? m : "`…`"))}`;
        reasons.set(r, (reasons.get(r) ?? 0) + 1);
        lines.push(`GAP ${name} ${d.module} ${g.address} ${g.path} ${g.line} ${g.reason}`);
      }
      for (const u of d.unresolved) lines.push(`ASK ${name} ${d.module} ${u.address} ${u.config} ${u.line} ${u.reason}`);
      if (only) lines.push(d.source ?? "");
    }
  }
  const out = [`SET ${set} step ${step}`, JSON.stringify(sum), `network ${JSON.stringify(net)}`, `worst ${worst | 0} ms ${worstName}`, ...[...reasons].toSorted((a, b) => b[1] - a[1]).slice(0, 60).map(([r, n]) => `${n} ${r}`), "", ...lines];
  writeFileSync(process.env["OUT"] ?? "/work/h/w-arm-tmp/corpus.out", out.join("\n"));
}, 1_500_000);
