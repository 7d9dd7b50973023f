import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { InputData, JSONSchemaInput, quicktype } from "quicktype-core";

/** Writes the Python classes that quicktype makes of schemas of the document. */
export async function writeModels(
  document: { components: object },
  names: readonly string[],
  file: string,
): Promise<void> {
  const input = new JSONSchemaInput(undefined);
  const components = withoutTimes(document.components);
  for (const name of names)
    await input.addSource({
      name,
      schema: JSON.stringify({ components, $ref: `#/components/schemas/${name}` }),
    });
  const inputData = new InputData();
  inputData.addInput(input);
  const { lines } = await quicktype({
    inputData,
    lang: "python",
    rendererOptions: { "python-version": "3.7" },
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, lines.join("\n"));
}

/** Times stay texts: quicktype reads them with `dateutil`, which Python does not bring. */
function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== "format" || (inner !== "date-time" && inner !== "date"))
      .map(([key, inner]) => [key, withoutTimes(inner)]),
  );
}
