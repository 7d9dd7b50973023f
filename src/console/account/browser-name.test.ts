import { expect, it } from "vitest";
import { browserName } from "./browser-name.ts";

const mozilla = "Mozilla/5.0";
const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.for([
  [`${mozilla} (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox on Linux"],
  [
    `${mozilla} (X11; Linux x86_64) ${webkit} HeadlessChrome/156.0 Safari/537.36`,
    "Chrome on Linux",
  ],
  [
    `${mozilla} (Windows NT 10.0) ${webkit} Chrome/156.0 Safari/537.36 Edg/156.0`,
    "Edge on Windows",
  ],
  [
    `${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1`,
    "Safari on macOS",
  ],
  [
    `${mozilla} (iPhone; CPU iPhone OS 26_0 like Mac OS X) ${webkit} Safari/604.1`,
    "Safari on iPhone",
  ],
  [
    `${mozilla} (Linux; Android 16) ${webkit} Chrome/156.0 Mobile Safari/537.36`,
    "Chrome on Android",
  ],
  ["curl/8.0", "curl/8.0"],
  ["", "Unknown browser"],
  [null, "Unknown browser"],
])("%s is %s", ([userAgent, name]) => {
  expect(browserName(userAgent ?? null)).toBe(name);
});
