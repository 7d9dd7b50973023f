/** The origins of `ALLOWED_ORIGINS`, as a browser spells them. What is no origin there counts for nothing. */
export function allowedOrigins(setting: string | undefined): ReadonlySet<string> {
  if (known?.setting === setting && known !== undefined) return known.origins;
  const origins = new Set(
    (setting ?? "").split(",").flatMap((entry) => {
      const origin = URL.parse(entry.trim())?.origin;
      // A URL without an origin of its own (`data:`, `file:`) spells it `null`, as sandboxed pages do.
      return origin === undefined || origin === "null" ? [] : [origin];
    }),
  );
  known = { setting, origins };
  return origins;
}

let known: { setting: string | undefined; origins: ReadonlySet<string> } | undefined;
