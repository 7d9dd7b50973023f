const browsers = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS|Chromium)\//],
  ["Safari", /\bSafari\//],
] as const;
const systems = [
  ["Windows", /\bWindows\b/],
  ["Android", /\bAndroid\b/],
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

/** A readable name for a `User-Agent`: a guess that tells sessions apart. */
export function browserName(userAgent: string | null): string {
  const of = (list: readonly (readonly [string, RegExp])[]) =>
    list.find(([, shape]) => shape.test(userAgent ?? ""))?.[0];
  const [browser, system] = [of(browsers), of(systems)];
  if (browser === undefined && system === undefined) return userAgent || "Unknown browser";
  return `${browser ?? "A browser"}${system === undefined ? "" : ` on ${system}`}`;
}
