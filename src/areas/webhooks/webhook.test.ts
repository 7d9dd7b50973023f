import { describe, expect, it } from "vitest";
import { oldSecretsAfterRotation, signingSecrets } from "./webhook.ts";

const nowMs = 1_000_000;
const dayMs = 86_400_000;

describe("rotation", () => {
  it("keeps the replaced secret for the overlap, after the new one", () => {
    const oldSecrets = oldSecretsAfterRotation({ secret: "a", oldSecrets: [] }, nowMs, dayMs);
    expect(oldSecrets).toEqual([{ sealed: "a", expiresAtMs: nowMs + dayMs }]);
    const rotated = { secret: "b", oldSecrets };
    expect(signingSecrets(rotated, nowMs)).toEqual(["b", "a"]);
    expect(signingSecrets(rotated, nowMs + dayMs - 1)).toEqual(["b", "a"]);
    expect(signingSecrets(rotated, nowMs + dayMs)).toEqual(["b"]);
  });

  it("keeps two old secrets at most, the newest", () => {
    const old = (sealed: string) => ({ sealed, expiresAtMs: nowMs + dayMs });
    const before = { secret: "c", oldSecrets: [old("b"), old("a")] };
    const kept = oldSecretsAfterRotation(before, nowMs, dayMs).map(({ sealed }) => sealed);
    expect(kept).toEqual(["c", "b"]);
  });

  it("never extends an old secret, and shortens it to the new overlap", () => {
    const before = {
      secret: "c",
      oldSecrets: [
        { sealed: "b", expiresAtMs: nowMs + 10 },
        { sealed: "a", expiresAtMs: nowMs + dayMs },
      ],
    };
    expect(oldSecretsAfterRotation(before, nowMs, 100)).toEqual([
      { sealed: "c", expiresAtMs: nowMs + 100 },
      { sealed: "b", expiresAtMs: nowMs + 10 },
    ]);
  });

  it("without an overlap keeps only the new secret", () => {
    const before = { secret: "b", oldSecrets: [{ sealed: "a", expiresAtMs: nowMs + dayMs }] };
    expect(oldSecretsAfterRotation(before, nowMs, 0)).toEqual([]);
  });
});
