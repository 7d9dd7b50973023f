import type { Bindings } from "#kernel/bindings.ts";

/** Sent after the commit holds: ids, no more. A lost one is repeated by a sweep. */
export interface Notification {
  write: "notify";
  send: (env: Bindings) => Promise<unknown>;
}
