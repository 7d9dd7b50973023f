import type { Hono } from "hono";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "#http/request-call.ts";

/**
 * An app without routes. Its router is the one that Hono itself ends with for the service's routes; named here, those
 * that it would try before are not in the bundle.
 */
export function newApp(): Hono<AppEnv> {
  return new HonoBase<AppEnv>({ router: new TrieRouter() });
}
