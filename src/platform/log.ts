/** Logs one line of JSON, which Workers Logs and `wrangler tail` index. Never pass secrets, bodies or headers. */
export function log(
  level: "info" | "warn" | "error",
  message: string,
  fields: Readonly<Record<string, string | number | boolean | null | undefined>> = {},
): void {
  const line = JSON.stringify({ level, message, ...fields });
  if (level === "error") console.error(line);
  else if (level === "warn") console.warn(line);
  else console.log(line);
}

/** An error with its stack and causes. For logs only; never return it to callers. */
export function describeError(error: unknown): string {
  const parts: string[] = [];
  for (let at: unknown = error; at !== undefined && parts.length < 5;) {
    parts.push(
      at instanceof Error ? (at.stack ?? `${at.name}: ${at.message}`) : JSON.stringify(at),
    );
    at = at instanceof Error ? at.cause : undefined;
  }
  return parts.join("\ncaused by ");
}
