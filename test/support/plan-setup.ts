/** In every suite: no SQL statement of the service may take longer as its tables grow. */
import { afterAll, expect } from "vitest";
import { hearStatements } from "./heard-statements.ts";
import { growingStatements } from "./plan-guard.ts";

hearStatements();
afterAll(async () => expect(await growingStatements()).toEqual([]));
