/**
 * An import of 2,000 files with 8 MB of Terraform, compared with one of the same body whose files are of no known
 * format: what both take is reading the request, hashing the files and storing their verdicts.
 */
import { clientOf } from "../scripts/client/client.ts";
import { printTable } from "./print-table.ts";
import { median } from "./ratio.ts";
import { startWorkers, type Workers } from "./start-workers.ts";
import { makeTenant } from "./tenant.ts";

const FILES = 2_000;
const FILES_A_MODULE = 20;
const BYTES_A_FILE = 4_000;
const ROUNDS = 7;
const WARM_UP_ROUNDS = 1;
const MAX_MS = 5_000;

interface Imported {
  counts: { resources: number };
  drafts: { mapped: number }[];
}

/** Returns true when the result is within its limit. */
export async function benchImports(workers: Workers): Promise<boolean> {
  const { key } = await makeTenant(workers);
  const client = clientOf(workers.service, key);
  const contents = Array.from({ length: FILES }, (_, at) => terraform(at));
  const filesOf = (extension: string) =>
    contents.map((content, at) => ({
      path: `m${Math.floor(at / FILES_A_MODULE)}/f${at}.${extension}`,
      content,
    }));
  const take = async (extension: string): Promise<{ ms: number; imported: Imported }> => {
    const files = filesOf(extension);
    const startedMs = performance.now();
    const imported = await client.post<Imported>("/imports", { files });
    return { ms: performance.now() - startedMs, imported };
  };
  const parsed: number[] = [];
  const skipped: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    const noOp = await take("txt");
    const read = await take("tf");
    if (read.imported.counts.resources !== FILES * 2 || noOp.imported.counts.resources !== 0)
      throw new Error(`The imports found other resources: ${JSON.stringify(read.imported.counts)}`);
    if (round < WARM_UP_ROUNDS) continue;
    parsed.push(read.ms);
    skipped.push(noOp.ms);
  }
  const ratios = parsed.map((ms, at) => ms / (skipped[at] ?? Number.NaN));
  const megabytes = contents.reduce((sum, { length }) => sum + length, 0) / 1e6;
  printTable(
    `Import of ${FILES} files, ${megabytes.toFixed(1)} MB (${ROUNDS} alternating rounds)`,
    ["", "median", "min", "max"],
    [
      row("files of no format, ms", skipped, 0),
      row("Terraform, with a draft of each module, ms", parsed, 0),
      row("ratio", ratios, 1),
      ["limit, ms", String(MAX_MS), "", ""],
    ],
  );
  return median(parsed) <= MAX_MS;
}

/** A file as people write them: two resources, variables, references, comments. */
function terraform(at: number): string {
  const name = `r${at}`;
  const text = `# The network ${name} and its server
variable "${name}_name" {
  type        = string
  description = "The name of ${name}."
  default     = "${name}"
}

locals {
  ${name}_prefix = "\${var.${name}_name}-\${lower("NET")}"
}

resource "digitalocean_vpc" "${name}" {
  name     = "\${local.${name}_prefix}-network"
  region   = "fra1"
  ip_range = "10.${at % 256}.0.0/20"
}

resource "digitalocean_droplet" "${name}" {
  name     = "\${local.${name}_prefix}-server"
  region   = "fra1"
  size     = "s-1vcpu-1gb"
  image    = "debian-13-x64"
  vpc_uuid = digitalocean_vpc.${name}.id
  tags     = ["web", "\${var.${name}_name}"]
}

output "${name}_id" {
  value = digitalocean_droplet.${name}.id
}
`;
  const comment = "# What a team writes about it stands here, and takes its time to read.\n";
  return text + comment.repeat(Math.ceil((BYTES_A_FILE - text.length) / comment.length));
}

function row(name: string, values: readonly number[], digits: number): string[] {
  return [name, median(values), Math.min(...values), Math.max(...values)].map((value) =>
    typeof value === "number" ? value.toFixed(digits) : value,
  );
}

if (import.meta.main) {
  const workers = await startWorkers({}, { assets: true });
  try {
    if (!(await benchImports(workers))) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
}
