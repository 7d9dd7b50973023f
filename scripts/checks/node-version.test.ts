import { readFileSync } from "node:fs";
import path from "node:path";
import { minVersion, satisfies } from "semver";
import { expect, it } from "vitest";
import { projectRoot } from "../files/project-root.ts";

interface Package {
  engines?: { node?: string };
  /** Installed only on machines of its kind. */
  optional?: boolean;
}

const read = (file: string): string => readFileSync(path.join(projectRoot, file), "utf8");
const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
const oldest = minVersion(engines.node)?.version ?? "";

it("the oldest Node that the package names is one that every dependency takes, so npm does not warn", () => {
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, Package>;
  };
  const refusing = Object.entries(packages)
    .filter(([, { optional }]) => optional !== true)
    .filter(([, { engines }]) => !satisfies(oldest, engines?.node ?? "*"))
    .map(([name]) => name);
  expect(Object.keys(packages).length).toBeGreaterThan(300);
  expect(refusing).toEqual([]);
  expect(satisfies("20.19.0", packages["node_modules/wrangler"]?.engines?.node ?? "*")).toBe(false);
});

it("is the one that README and CONTRIBUTING name", () => {
  const named = `Node ${oldest.replace(/\.0$/, "")} or newer`;
  for (const page of ["README.md", "CONTRIBUTING.md"]) expect(read(page)).toContain(named);
});
