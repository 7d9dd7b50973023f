import { type Expression, partsOf } from "#importers/expression.ts";

/** The name of a call in place of one that reads a file. Its first argument says why the file is not read. */
export const UNREAD = "unread file";

/** Why the file of a call is not read; undefined for another call. */
export function whyUnread(of: Expression): string | undefined {
  if (of.kind !== "call" || of.name !== UNREAD) return undefined;
  const [reason] = of.args;
  return reason?.kind === "literal" ? String(reason.value) : undefined;
}

/** The maximum number of values that are searched for one. */
const MAX_SEARCHED = 1_000;

/** Why a file that some part of the expression reads is not read. */
export function whyUnreadIn(of: Expression): string | undefined {
  const found = [of];
  // The list grows while it is read.
  for (const at of found) {
    const reason = whyUnread(at);
    if (reason !== undefined) return reason;
    found.push(...partsOf(at).slice(0, Math.max(0, MAX_SEARCHED - found.length)));
  }
  return undefined;
}
