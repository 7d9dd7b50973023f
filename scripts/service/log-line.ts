const noise = [
  /^\s*$/,
  /Scheduled Workers are not automatically triggered/,
  /^\s*To manually trigger a scheduled event, run:$/,
  /^\s*curl "http:\/\/[^"]*\/cdn-cgi\/local\/scheduled"$/,
  /^\s*For more details, see .*#test-cron-triggers-locally/,
];

/** A line of `wrangler dev` without noise: undefined for lines to drop, and the service's JSON without Wrangler's prefix. */
export function logLine(line: string): string | undefined {
  if (noise.some((pattern) => pattern.test(line))) return undefined;
  return line.replace(/^\S \[(?:WARNING|ERROR)\] (?=\{)/u, "");
}
