import { describe, expect, it } from "vitest";
import type { RunPhase } from "#schema/lists/run-phases.ts";
import { cancelMove } from "./cancel-run.ts";

describe("a cancel", () => {
  it.for<[RunPhase, approved: boolean, kind: string, message?: string]>([
    ["waiting", false, "goes on"],
    ["gate", false, "closes"],
    ["gate", true, "ends", "Canceled before it was applied."],
    ["planning", false, "ends", "Canceled while planning."],
    ["parked", false, "ends", "Canceled while planning."],
    ["applying", false, "goes on"],
    ["applying", true, "goes on"],
    ["closed", false, "goes on"],
  ])("in %s (approved: %s) %s", ([phase, approved, kind, message]) => {
    const move = cancelMove({ phase, approved });
    expect(move.kind).toBe(kind);
    if (message !== undefined)
      expect(move).toMatchObject({ ending: { state: "CANCELED", message } });
  });
});
