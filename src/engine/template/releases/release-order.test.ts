import semver from "semver";
import { describe, expect, it } from "vitest";
import { releaseOrder, spansOf } from "./release-order.ts";
import { RELEASE } from "./release.ts";
import { isVersionRange } from "./version-range.ts";

const numbers = ["0", "1", "2", "9", "10", "11", "100", "9007199254740991"];
const identifiers = ["0", "1", "2", "10", "a", "alpha", "alpha-1", "alpha1", "Z", "-", "rc", "9a"];

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T;
}

/** A sequence of numbers between 0 and 1 that is the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function release(random: () => number): string {
  const core = [0, 1, 2].map(() => pick(numbers, random)).join(".");
  const parts = Array.from({ length: Math.floor(random() * 4) }, () => pick(identifiers, random));
  return parts.length === 0 || random() < 0.4 ? core : `${core}-${parts.join(".")}`;
}

function range(random: () => number): string {
  const bound = () =>
    `${pick(["^", "~", "", "=", ">", ">=", "<", "<="], random)}${release(random)}`;
  const partial = () =>
    pick(["*", "1.x", "^1", "~1.2", "1", "1.2 - 2.9", ">=1.2 <3", "^0.0.1", "^0"], random);
  const one = () => pick([bound, partial, () => `${bound()} ${bound()}`], random)();
  return Array.from({ length: 1 + Math.floor(random() * 3) }, one).join(" || ");
}

function isIn(text: string, spans: ReturnType<typeof spansOf>): boolean {
  return spans.some(
    ([from, to, prereleases]) =>
      text >= from && text < to && text.endsWith("~") === (prereleases === 0),
  );
}

describe("releaseOrder", () => {
  it("sorts texts as semantic versioning sorts releases", () => {
    const random = randomFrom(7);
    for (let turn = 0; turn < 5_000; turn += 1) {
      const [a, b] = [release(random), release(random)];
      const [first, second] = [releaseOrder(a), releaseOrder(b)];
      const order = first < second ? -1 : first > second ? 1 : 0;
      expect(order, `${a} ${b}`).toBe(semver.compare(a, b));
    }
  });
});

describe("spansOf", () => {
  it("contains the releases that satisfy the range, and no others", () => {
    const random = randomFrom(11);
    const counts = { inside: 0, outside: 0 };
    for (let turn = 0; turn < 8_000; turn += 1) {
      const [wanted, one] = [range(random), release(random)];
      if (!isVersionRange(wanted)) continue;
      const expected = semver.satisfies(one, wanted);
      counts[expected ? "inside" : "outside"] += 1;
      expect(isIn(releaseOrder(one), spansOf(wanted)), `${one} in ${wanted}`).toBe(expected);
    }
    expect(Math.min(counts.inside, counts.outside)).toBeGreaterThan(500);
  });

  it("has no prerelease unless the range names one of its version", () => {
    expect(isIn(releaseOrder("1.3.0-rc.1"), spansOf("^1.2"))).toBe(false);
    expect(isIn(releaseOrder("1.3.0-rc.2"), spansOf(">=1.3.0-rc.1"))).toBe(true);
    expect(isIn(releaseOrder("1.4.0-rc.2"), spansOf(">=1.3.0-rc.1"))).toBe(false);
  });
});

describe("RELEASE", () => {
  it.each(["1.4.0", "0.0.0", "2.0.0-rc.1"])("matches %s", (text) => {
    expect([RELEASE.test(text), semver.valid(text)]).toEqual([true, text]);
  });

  it.each(["1.4", "v1.4.0", "1.4.0+build", "01.4.0", " 1.4.0", "^1.4.0", "latest", ""])(
    "does not match %s",
    (text) => {
      expect([RELEASE.test(text), semver.valid(text) === text]).toEqual([false, false]);
    },
  );
});
