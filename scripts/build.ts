/** Bundles the Worker as for a deployment and checks its size: `npm run build`. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { projectRoot } from "./files/project-root.ts";

/**
 * The Worker's size by feature, in KiB. All twelve providers: 491, limit 512 (docs/decisions/0071). Parsers and drafts
 * of imports: 576 in all (docs/decisions/0018). Chat messages, Ed25519 signatures and drafts of Kubernetes: 589. The
 * console: 31 more, limit 40 (docs/decisions/0086). Metrics, traces, bookmarks and bounded sweeps: 11 more
 * (docs/decisions/0091). Guards of bytes, changes and approvals, and the budget of imports: 664
 * (docs/decisions/0018, 0032). Expressions, conditions, loops and components of templates: 716
 * (docs/decisions/0001-dependencies.md). Options, loops, conditions and YAML 1.1 of imports: 726. Each
 * format's own functions, and loops, components and folders in drafts: 778 (docs/decisions/0094 to 0098). Some sixty
 * more types of the clouds: 807. Buckets that speak S3, and the last types: 822. Files of
 * Terraform, quotas, and the console's workspace of an instance: 842.
 */
const MAX_GZIP_KIB = 860;

const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [
    join(projectRoot, "node_modules/wrangler/bin/wrangler.js"),
    "deploy",
    "--dry-run",
    "--minify",
    "--outdir",
    "dist",
  ],
  { cwd: projectRoot, encoding: "utf8", env: { ...process.env, WRANGLER_SEND_METRICS: "false" } },
);
if (status !== 0) {
  console.error(stdout, stderr);
  process.exit(1);
}
const gzipKib = gzipSync(readFileSync(join(projectRoot, "dist/worker.js"))).length / 1024;
console.log(`The bundle is ${gzipKib.toFixed(0)} KiB gzip (limit ${MAX_GZIP_KIB}).`);
if (gzipKib > MAX_GZIP_KIB) process.exit(1);
