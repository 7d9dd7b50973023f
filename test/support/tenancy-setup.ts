/** In every suite: all SQL statements of the service must be scoped to tenants. */
import { afterAll, expect } from "vitest";
import { hearStatements } from "./heard-statements.ts";
import { unscopedStatements } from "./tenancy-guard.ts";

hearStatements();
afterAll(() => expect(unscopedStatements()).toEqual([]));
