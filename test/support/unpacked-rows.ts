import { env } from "cloudflare:workers";
import { unpackJson } from "#platform/packed-json.ts";

/** What imports store packed, as a text that can be searched. */
export async function unpackedRows(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT items AS packed FROM import_parts UNION ALL SELECT draft FROM import_drafts",
  ).all<{ packed: string }>();
  return JSON.stringify(await Promise.all(results.map(({ packed }) => unpackJson(packed))));
}
