import { expect, it } from "vitest";
import { logLine } from "./log-line.ts";

it.for([
  [""],
  ["▲ [WARNING] Scheduled Workers are not automatically triggered during local development."],
  ["  To manually trigger a scheduled event, run:"],
  ['    curl "http://127.0.0.1:8787/cdn-cgi/local/scheduled"'],
  [
    "  For more details, see https://developers.cloudflare.com/workers/configuration/cron-triggers/#test-cron-triggers-locally",
  ],
])("drops %j", ([line = ""]) => {
  expect(logLine(line)).toBeUndefined();
});

it("removes Wrangler's prefix from the service's lines", () => {
  expect(logLine('✘ [ERROR] {"level":"error"}')).toBe('{"level":"error"}');
  expect(logLine('▲ [WARNING] {"level":"warn"}')).toBe('{"level":"warn"}');
});

it("keeps Wrangler's own reports", () => {
  expect(logLine("✘ [ERROR] Build failed with 1 error:")).toBe(
    "✘ [ERROR] Build failed with 1 error:",
  );
});
