/** In every suite: no statement the service prepares may leave open whose rows it means. */
import { afterAll, expect } from "vitest";
import { hearStatements, unscopedStatements } from "./tenancy-guard.ts";

hearStatements();
afterAll(() => expect(unscopedStatements()).toEqual([]));
