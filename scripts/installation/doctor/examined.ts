import type { SmokePorts } from "../smoke-test.ts";

/** The installation that is checked, as the checks know it. */
export interface Examined {
  /** An origin. */
  address: string;
  /** On this machine. */
  isLocal: boolean;
  /** An operator's; undefined: there is none. */
  key: string | undefined;
  /** Of the checkout. */
  version: string;
  /** By the installation's file; undefined: there is no file, or it is another installation's. */
  vars: Readonly<Record<string, string>> | undefined;
  fetch: SmokePorts["fetch"];
}
