import type { JSX } from "hono/jsx/jsx-runtime";
import type { PageApi } from "./page-api.ts";
import type { Reader } from "./reader.ts";
import type { PageScript } from "./shared/scripts.ts";

/** The content of a page below the navigation. */
export interface Shown {
  title: string;
  body: JSX.Element;
  scripts?: readonly PageScript[];
}

/** The parameters in the address of a page. */
export interface PageAddress {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** The tenant whose objects lists show. Undefined: all that the reader sees. */
  tenantId: string | undefined;
}

/** A page of the console: its reads of the API, and their view. */
export interface ConsolePage {
  /** The path in the router's syntax: `/instances/:id`. */
  path: string;
  /** Starts the reads without waiting for the reader, so that both take one round trip to the database. */
  load: (api: PageApi, at: PageAddress) => Promise<(reader: Reader) => Shown>;
}
