/** In every suite: all SQL statements of the service must be scoped to tenants. */
import { afterAll, expect } from "vitest";
import { hearStatements, unscopedStatements } from "./tenancy-guard.ts";

hearStatements();
afterAll(() => expect(unscopedStatements()).toEqual([]));
