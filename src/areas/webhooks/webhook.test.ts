import { describe, expect, it } from "vitest";
import { oldSecretsAfterRotation, secretsEndedBy, signingSecrets } from "./webhook.ts";

const nowMs = 1_000_000;
const dayMs = 86_400_000;

describe("rotation", () => {
  it("keeps the replaced secret for the overlap, after the new one", () => {
    const oldSecrets = oldSecretsAfterRotation(
      { secret: "a", secretCreatedAtMs: 1, oldSecrets: [] },
      nowMs,
      dayMs,
    );
    expect(oldSecrets).toEqual([{ sealed: "a", createdAtMs: 1, expiresAtMs: nowMs + dayMs }]);
    const rotated = { secret: "b", oldSecrets };
    expect(signingSecrets(rotated, nowMs)).toEqual(["b", "a"]);
    expect(signingSecrets(rotated, nowMs + dayMs - 1)).toEqual(["b", "a"]);
    expect(signingSecrets(rotated, nowMs + dayMs)).toEqual(["b"]);
  });

  it("keeps two old secrets at most, the newest", () => {
    const old = (sealed: string) => ({ sealed, createdAtMs: 1, expiresAtMs: nowMs + dayMs });
    const before = { secret: "c", secretCreatedAtMs: 3, oldSecrets: [old("b"), old("a")] };
    const kept = oldSecretsAfterRotation(before, nowMs, dayMs).map(({ sealed }) => sealed);
    expect(kept).toEqual(["c", "b"]);
  });

  it("never extends an old secret, and shortens it to the new overlap", () => {
    const before = {
      secret: "c",
      secretCreatedAtMs: 3,
      oldSecrets: [
        { sealed: "b", createdAtMs: 2, expiresAtMs: nowMs + 10 },
        { sealed: "a", createdAtMs: 1, expiresAtMs: nowMs + dayMs },
      ],
    };
    expect(oldSecretsAfterRotation(before, nowMs, 100)).toEqual([
      { sealed: "c", createdAtMs: 3, expiresAtMs: nowMs + 100 },
      { sealed: "b", createdAtMs: 2, expiresAtMs: nowMs + 10 },
    ]);
  });

  it("without an overlap keeps only the new secret", () => {
    const before = {
      secret: "b",
      secretCreatedAtMs: 2,
      oldSecrets: [{ sealed: "a", createdAtMs: 1, expiresAtMs: nowMs + dayMs }],
    };
    expect(oldSecretsAfterRotation(before, nowMs, 0)).toEqual([]);
    expect(secretsEndedBy(before, { oldSecrets: [] }, nowMs)).toEqual([2, 1]);
  });

  it("ends the secrets that signed until now and are not kept, not earlier ones", () => {
    const old = (createdAtMs: number, expiresAtMs = nowMs + dayMs) => ({
      sealed: "x",
      createdAtMs,
      expiresAtMs,
    });
    const ended = (oldSecrets: ReturnType<typeof old>[]) => {
      const before = { secret: "x", secretCreatedAtMs: 4, oldSecrets };
      const after = { oldSecrets: oldSecretsAfterRotation(before, nowMs, dayMs) };
      return secretsEndedBy(before, after, nowMs);
    };
    expect(ended([])).toEqual([]);
    expect(ended([old(3)])).toEqual([]);
    expect(ended([old(3), old(2)])).toEqual([2]);
    expect(ended([old(3), old(2, nowMs)])).toEqual([]);
    expect(ended([old(3, nowMs), old(2, nowMs)])).toEqual([]);
  });
});
