import type { Bindings } from "#kernel/bindings.ts";

/** Sent after the commit, with ids only. A sweep repeats a lost one. */
export interface Notification {
  write: "notify";
  send: (env: Bindings) => Promise<unknown>;
}
