/** In every suite: no SQL statement of the service may take longer the more rows there are. */
import { afterAll, expect } from "vitest";
import { hearStatements } from "./heard-statements.ts";
import { growingStatements } from "./plan-guard.ts";

hearStatements();
afterAll(async () => expect(await growingStatements()).toEqual([]));
