import { expect, it } from "vitest";
import { logText } from "./log-text.ts";

it("writes a line for each entry, whatever its message has", () => {
  const at = "2026-01-02T03:04:05.000Z";
  const text = logText([
    { at, level: "info", message: "Creating web." },
    { at, level: "error", message: "a\tb\nc\\d\u{202e}e\u{2028}f\u{1b}[31m" },
  ]);
  expect(text).toBe(
    `${at}\tinfo\tCreating web.\n${at}\terror\ta\\tb\\nc\\\\d\\u202ee\\u2028f\\u001b[31m\n`,
  );
});
