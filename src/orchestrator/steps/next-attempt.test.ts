import { describe, expect, it } from "vitest";
import type { RepeatFacts } from "#providers/provider.ts";
import { afterEmptyLook, nextAttempt } from "./next-attempt.ts";

const none: RepeatFacts = { longestRequestMs: 60_000, repeatableMs: 0, findable: false };
const findable: RepeatFacts = { ...none, findable: true };
const token: RepeatFacts = { ...findable, repeatableMs: 300_000 };
/** Sent first at 10 s, last at 20 s. */
const sent = { unknown: true, sent: { firstMs: 10_000, lastMs: 20_000 }, emptyLooks: 0 };

describe("the next attempt of a create", () => {
  it("is sent when no attempt so far had an effect, whatever the cloud offers", () => {
    for (const facts of [none, findable, token])
      expect(nextAttempt({ ...sent, unknown: false }, facts, 21_000)).toBe("send");
  });

  it("is sent with its token while the cloud will still know the token at its arrival", () => {
    expect(nextAttempt(sent, token, 249_999)).toBe("send");
    expect(nextAttempt(sent, token, 250_000)).toBe("look");
    expect(nextAttempt(sent, { ...token, findable: false }, 250_000)).toBe("cannot_tell");
  });

  it("does not rely on a token that lives no longer than a request", () => {
    expect(nextAttempt(sent, { ...token, repeatableMs: 60_000 }, 10_000)).toBe("look");
  });

  it("is always sent if a repetition never makes a second object", () => {
    const always = { ...none, repeatableMs: Number.POSITIVE_INFINITY };
    expect(nextAttempt(sent, always, 10 ** 12)).toBe("send");
  });

  it("comes after two look-ups that found nothing, if the cloud takes no tokens", () => {
    expect(nextAttempt(sent, findable, 10 ** 12)).toBe("look");
    expect(nextAttempt({ ...sent, emptyLooks: 1 }, findable, 10 ** 12)).toBe("look");
    expect(nextAttempt({ ...sent, emptyLooks: 2 }, findable, 10 ** 12)).toBe("send");
  });

  it("is not made if the cloud offers no way to tell whether the object exists", () => {
    expect(nextAttempt(sent, none, 10 ** 12)).toBe("cannot_tell");
  });
});

describe("a look-up that found nothing", () => {
  const after = (askedMs: number, emptyLooks = 0, facts = findable) =>
    afterEmptyLook({ ...sent, emptyLooks }, facts, {
      askedMs,
      nowMs: askedMs + 100,
      delayMs: 4_000,
    });

  it("does not count while the last request can still take effect", () => {
    expect(after(30_000)).toEqual({ empty: 0, notBeforeMs: 34_100, none: false });
    // The next look-up comes as soon as the request is too old.
    expect(after(79_000)).toEqual({ empty: 0, notBeforeMs: 80_000, none: false });
    // The look-up was sent before that time and answered after it.
    expect(after(79_999)).toEqual({ empty: 0, notBeforeMs: 80_099, none: false });
  });

  it("counts from then on, and the second one follows some seconds later", () => {
    expect(after(80_000)).toEqual({ empty: 1, notBeforeMs: 85_100, none: false });
    expect(after(85_100, 1)).toEqual({ empty: 2, notBeforeMs: 85_200, none: true });
  });

  it("does not count before the end of a token's life, since the token may have been sent again", () => {
    expect(after(260_000, 0, token)).toMatchObject({ empty: 0 });
    expect(after(310_000, 0, token)).toMatchObject({ empty: 1 });
  });

  it("does not count before the list shows the last request's object", () => {
    const lagging = { ...findable, listLagMs: 30_000 };
    expect(after(109_999, 0, lagging)).toMatchObject({ empty: 0, notBeforeMs: 110_099 });
    expect(after(110_000, 0, lagging)).toMatchObject({ empty: 1 });
  });

  it("counts at once if the last request is long past", () => {
    const record = { ...sent, sent: { firstMs: 0, lastMs: 0 } };
    const at = { askedMs: 10 ** 12, nowMs: 10 ** 12, delayMs: 0 };
    expect(afterEmptyLook(record, findable, at)).toMatchObject({ empty: 1 });
  });
});
