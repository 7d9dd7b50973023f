import type { JSX } from "hono/jsx/jsx-runtime";
import type { PageApi } from "./page-api.ts";
import type { Reader } from "./reader.ts";

/** What a page shows below the navigation. */
export interface Shown {
  title: string;
  body: JSX.Element;
  /** The scripts of the page in `/assets/console`, by name. */
  scripts?: readonly string[];
}

/** What the address of a page says. */
export interface PageAddress {
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
}

/** A page of the console: what it reads of the API, and what it shows of that. */
export interface ConsolePage {
  /** In the router's words: `/instances/:id`. */
  path: string;
  /** What it reads does not wait for who the reader is: both are one round trip to the database, at the same time. */
  load: (api: PageApi, at: PageAddress) => Promise<(reader: Reader) => Shown>;
}
