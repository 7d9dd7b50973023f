/**
 * Writes the OpenAPI document as the Worker serves it: `node scripts/write-openapi.ts <file>`. It is generated from the
 * declarations only, so no database or secret is needed.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { unstable_startWorker } from "wrangler";
import { projectRoot } from "./project-root.ts";
import { wranglerEnvironment } from "./wrangler.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: node scripts/write-openapi.ts <file>");

const stateDir = await mkdtemp(path.join(tmpdir(), "control-api-openapi-"));
Object.assign(process.env, wranglerEnvironment(stateDir));
const worker = await unstable_startWorker({
  config: path.join(projectRoot, "wrangler.toml"),
  envFiles: [],
  bindings: { RATE_LIMITS: { type: "plain_text", value: "off" } },
  dev: { watch: false, server: { port: 0 }, inspector: false, persist: false, logLevel: "warn" },
});
try {
  const response = await worker.fetch("http://localhost/api/v1/openapi.json");
  const text = await response.text();
  if (response.status !== 200) throw new Error(`The Worker answered ${response.status}: ${text}`);
  const target = path.resolve(file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, `${JSON.stringify(JSON.parse(text), undefined, 2)}\n`);
} finally {
  await worker.dispose();
  await rm(stateDir, { recursive: true, force: true });
}
