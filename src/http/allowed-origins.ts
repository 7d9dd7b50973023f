/** The origins of `ALLOWED_ORIGINS`, spelled as browsers send them. Invalid entries are ignored. */
export function allowedOrigins(setting: string | undefined): ReadonlySet<string> {
  if (known?.setting === setting && known !== undefined) return known.origins;
  const origins = new Set(
    (setting ?? "").split(",").flatMap((entry) => {
      const origin = URL.parse(entry.trim())?.origin;
      // URLs without an origin (`data:`, `file:`) give `null`, which sandboxed pages send as well.
      return origin === undefined || origin === "null" ? [] : [origin];
    }),
  );
  known = { setting, origins };
  return origins;
}

let known: { setting: string | undefined; origins: ReadonlySet<string> } | undefined;
