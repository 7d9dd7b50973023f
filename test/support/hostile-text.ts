import { expect } from "vitest";

/** A text that would end any element or attribute that contains it unescaped. `mark`: finds it again. */
export function hostileText(mark: string): string {
  return `§${mark}§><script>alert(1)</script>"'&amp;`;
}

/** The same text as a page must contain it, in text and in attributes. */
export function escapedText(mark: string): string {
  return `${escapedStart(mark)}/script&gt;&quot;&#39;&amp;amp;`;
}

/** The text before its slash, where a path is cut, and its quote, which JSON escapes. */
function escapedStart(mark: string): string {
  return `§${mark}§&gt;&lt;script&gt;alert(1)&lt;`;
}

/** The page contains each hostile text, escaped everywhere, and no script but `scripts`. */
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
