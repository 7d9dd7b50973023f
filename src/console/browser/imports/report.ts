import { Refusal } from "#console/browser/page/refusal.ts";

/** The JSON object in the file. Throws a `Refusal` if there is none. PowerShell writes UTF-16. */
export async function reportIn(file: File): Promise<object> {
  const content = await file.arrayBuffer();
  const [first, second] = new Uint8Array(content, 0, Math.min(2, content.byteLength));
  const encoding = first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";
  const report = parsed(file.name, new TextDecoder(encoding).decode(content));
  if (report === null || typeof report !== "object" || Array.isArray(report))
    throw new Refusal(`${file.name} has to be a JSON object.`);
  return report;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Refusal(`${name} is not JSON: ${why}`, [], { cause });
  }
}
