import { transformSync } from "esbuild";
import { readFileSync } from "node:fs";
import path from "node:path";
import { projectRoot } from "./project-root.ts";

const tsconfigRaw = readFileSync(path.join(projectRoot, "tsconfig.json"), "utf8");

/** JavaScript of a `.tsx` file, as for the Worker. */
export function withoutJsx(file: string): string {
  const source = readFileSync(file, "utf8");
  return transformSync(source, { loader: "tsx", sourcefile: file, tsconfigRaw }).code;
}
