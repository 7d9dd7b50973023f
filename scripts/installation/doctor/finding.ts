/** The finding of a check. `note`: nothing to mend; `warning`: the service works, but something should be done. */
export interface Finding {
  check: string;
  level: "ok" | "note" | "warning" | "error";
  what: string;
  /** Why it matters. */
  why?: string;
  /** Exactly what to do. */
  fix?: string;
}

export const ok = (check: string, what: string): Finding => ({ check, level: "ok", what });

export const note = (check: string, what: string, fix?: string): Finding => ({
  check,
  level: "note",
  what,
  ...(fix === undefined ? {} : { fix }),
});

export const warning = (check: string, what: string, why: string, fix: string): Finding => ({
  check,
  level: "warning",
  what,
  why,
  fix,
});

export const error = (check: string, what: string, why: string, fix: string): Finding => ({
  check,
  level: "error",
  what,
  why,
  fix,
});
