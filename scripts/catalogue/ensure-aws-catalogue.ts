/**
 * Makes the shards of AWS from the package `@aws-cdk/aws-service-spec`, if they are missing or were made from another
 * version. Wrangler runs it before `dev` and `deploy`, `vitest.config.ts` before the tests.
 */
import { createRequire } from "node:module";
import { awsShards } from "./aws-shards.ts";
import { catalogueDirectory, stampOf, stampOn, writeShards } from "./write-shards.ts";

const PACKAGE = "@aws-cdk/aws-service-spec";

/** Returns whether it made them. Prints the time and the sizes. */
export async function ensureAwsCatalogue(directory = catalogueDirectory): Promise<boolean> {
  const require = createRequire(import.meta.url);
  const { version } = require(`${PACKAGE}/package.json`) as { version: string };
  const stamp = await stampOf(`${PACKAGE} ${version}`);
  if ((await stampOn("aws", directory)) === stamp) return false;
  const startedMs = performance.now();
  // Loaded only when needed: it takes half a second.
  const { loadAwsServiceSpec } = await import("@aws-cdk/aws-service-spec");
  const written = await writeShards("aws", awsShards(await loadAwsServiceSpec(), stamp), directory);
  console.error(describeWritten("aws", written, performance.now() - startedMs));
  return true;
}

export function describeWritten(
  provider: string,
  { count, bytes, gzipBytes }: { count: number; bytes: number; gzipBytes: number },
  tookMs: number,
): string {
  const [size, gzip] = [bytes, gzipBytes].map((value) => `${Math.round(value / 1024)} KiB`);
  return `The catalogue of ${provider}: ${count} files, ${size}, ${gzip} gzip, made in ${(tookMs / 1000).toFixed(1)} s.`;
}

if (import.meta.main) await ensureAwsCatalogue();
