/**
 * Writes the OpenAPI document as the Worker serves it, but indented: `node scripts/write-openapi.ts <file>`. It is made
 * from the declarations only.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { openApiTexts } from "./reference/openapi-texts.ts";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Usage: node scripts/write-openapi.ts <file>");

const { json } = await openApiTexts();
const target = path.resolve(file);
await mkdir(path.dirname(target), { recursive: true });
await writeFile(target, `${JSON.stringify(JSON.parse(json), undefined, 2)}\n`);
