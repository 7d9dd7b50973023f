import { base64 } from "oslo/encoding";
import type { Json } from "./json.ts";

/** JSON as compressed text, which stores repetitions within 32 KiB once. For values that are read as a whole. */
export async function packJson(value: Json): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return base64.encode(await through(bytes, new CompressionStream("deflate-raw")), {
    includePadding: false,
  });
}

/** The value that `packJson` packed. Throws if the text is of another origin. */
export async function unpackJson(packed: string): Promise<Json> {
  const bytes = base64.decode(packed, { strict: false });
  const text = await through(bytes, new DecompressionStream("deflate-raw"));
  return JSON.parse(new TextDecoder().decode(text)) as Json;
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const source = new Response(bytes as Uint8Array<ArrayBuffer>).body as ReadableStream<
    Uint8Array<ArrayBuffer>
  >;
  return new Uint8Array(await new Response(source.pipeThrough(stream)).arrayBuffer());
}
