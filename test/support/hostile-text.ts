import { expect } from "vitest";

/** A text that ends any element and any attribute it is put into as it is. `mark`: to find it by. */
export function hostileText(mark: string): string {
  return `§${mark}§><script>alert(1)</script>"'&amp;`;
}

/** The same as a page has to hold it, in text and in attributes. */
export function escapedText(mark: string): string {
  return `${escapedStart(mark)}/script&gt;&quot;&#39;&amp;amp;`;
}

/** Up to what a path is cut at and a sample in JSON writes with a backslash. */
function escapedStart(mark: string): string {
  return `§${mark}§&gt;&lt;script&gt;alert(1)&lt;`;
}

/** Each hostile text is in the page, escaped wherever it is; no other script is there than `scripts`. */
export function expectEscaped(
  page: string,
  marks: readonly string[],
  scripts: readonly string[] = [],
): void {
  const times = (text: string): number => page.split(text).length - 1;
  for (const mark of marks) {
    expect(times(escapedStart(mark)), mark).toBeGreaterThan(0);
    expect(times(escapedStart(mark)), mark).toBe(times(`§${mark}§`));
  }
  expect([...page.matchAll(/<script[^>]*>/g)].map(([tag]) => tag)).toEqual(scripts);
}
