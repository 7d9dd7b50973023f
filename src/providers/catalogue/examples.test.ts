import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Diagnostic } from "#engine/diagnostics.ts";
import { checkTemplate } from "#engine/template/check.ts";
import { parseTemplate } from "#engine/template/parse.ts";
import { catalogue } from "./catalogue.ts";

const folder = new URL("../../../examples/", import.meta.url);
const files = readdirSync(folder).filter((file) => file.endsWith(".yaml"));

/** Without its vendor's description, a type may have further outputs. */
function isOpen({ severity, code }: Diagnostic): boolean {
  return severity === "warning" && code === "unknown_output";
}

it("finds the examples", () => {
  expect(files.length).toBeGreaterThan(10);
});

it.each(files)("finds no mistakes in examples/%s", (file) => {
  const { template, diagnostics } = parseTemplate(readFileSync(new URL(file, folder), "utf8"));
  const checked = template === undefined ? [] : checkTemplate(template, catalogue());
  expect([...diagnostics, ...checked].filter((one) => !isOpen(one))).toEqual([]);
});
