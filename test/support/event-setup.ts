/** In every suite: all events match their schema in src/areas/docs/event-payloads.ts. */
import { afterAll, expect } from "vitest";
import { undeclaredEvents } from "./event-guard.ts";

const startedAtMs = Date.now();
afterAll(async () => expect(await undeclaredEvents(startedAtMs)).toEqual([]));
