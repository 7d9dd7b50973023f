/** The colours of all pages stand in one style sheet, and can be read in light and in dark. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { signInStyle } from "#areas/sign-in/sign-in-style.ts";
import { statusStyle } from "#areas/status/status-style.ts";
import { pageStyle } from "#http/pages/page-style.ts";

const assets = new URL("../public/assets/", import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, assets), "utf8");
const PALETTE = "palette.css";
const palette = textOf(PALETTE);
const [light = "", dark = ""] = palette.split("@media (prefers-color-scheme: dark)");

const sheets: Readonly<Record<string, string>> = {
  pageStyle,
  signInStyle,
  statusStyle,
  ...Object.fromEntries(
    readdirSync(assets, { recursive: true })
      .map(String)
      .filter((file) => file.endsWith(".css") && file !== PALETTE)
      .map((file) => [file, textOf(file)]),
  ),
};

function definedIn(css: string): Map<string, string> {
  const found = css.matchAll(/(--[\w-]+)\s*:\s*([^;}]+)/g);
  return new Map([...found].map(([, name = "", value = ""]) => [name, value.trim()]));
}

/** By WCAG 2.2, of two colours: from 1 to 21. */
function contrast(one = "", other = ""): number {
  const [a = 0, b = 0] = [one, other].map(luminance).sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

function luminance(colour: string): number {
  const [, digits = ""] = /^#([\da-f]{3}|[\da-f]{6})$/.exec(colour) ?? [];
  const pairs = (digits.length === 3 ? digits.replace(/./g, "$&$&") : digits).match(/../g) ?? [];
  const [red = 0, green = 0, blue = 0] = pairs.map((pair) => {
    const part = Number.parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the palette", () => {
  it("is the only place of its colours, each in light and in dark", () => {
    expect(definedIn(light).size).toBeGreaterThan(10);
    expect([...definedIn(dark).keys()]).toEqual([...definedIn(light).keys()]);
    const doubles = Object.entries(sheets).flatMap(([sheet, css]) =>
      [...definedIn(css).keys()]
        .filter((name) => definedIn(palette).has(name))
        .map((name) => `${sheet}: ${name}`),
    );
    expect(doubles).toEqual([]);
  });

  it.for(Object.entries(sheets))("has, or %s itself, what that uses", ([, css]) => {
    const known = new Set([...definedIn(palette).keys(), ...definedIn(css).keys()]);
    const used = [...css.matchAll(/var\((--[\w-]+)/g)].map(([, name = ""]) => name);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it.for([
    ["light", light],
    ["dark", dark],
  ])("can be read in %s", ([, css = ""]) => {
    const colours = definedIn(css);
    const pairs = [
      ["ink", "page"],
      ["ink", "wash"],
      ["soft", "page"],
      ["soft", "wash"],
      ["mark", "page"],
      ["on-mark", "mark"],
      ...["good", "bad", "busy", "wait"].flatMap((tone) => [
        [tone, "page"],
        [tone, `${tone}-wash`],
        ["ink", `${tone}-wash`],
      ]),
    ];
    const faint = pairs.filter(
      ([text, paper]) => contrast(colours.get(`--${text}`), colours.get(`--${paper}`)) < 4.5,
    );
    expect(faint).toEqual([]);
    // What has a meaning and is no text: the edges of inputs.
    expect(contrast(colours.get("--edge"), colours.get("--page"))).toBeGreaterThan(3);
  });
});
