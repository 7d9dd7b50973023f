/** In every suite: no event leaves that is not as src/areas/docs/event-payloads.ts declares its kind. */
import { afterAll, expect } from "vitest";
import { undeclaredEvents } from "./event-guard.ts";

const startedAtMs = Date.now();
afterAll(async () => expect(await undeclaredEvents(startedAtMs)).toEqual([]));
