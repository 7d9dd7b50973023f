import type { Hono } from "hono";
import { HonoBase } from "hono/hono-base";
import { TrieRouter } from "hono/router/trie-router";
import type { AppEnv } from "#http/request-call.ts";

/**
 * An app without routes. It names the router that Hono would choose for the service's routes, so the bundle leaves out
 * the routers that Hono would try before.
 */
export function newApp(): Hono<AppEnv> {
  return new HonoBase<AppEnv>({ router: new TrieRouter() });
}
