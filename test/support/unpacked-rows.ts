import { env } from "cloudflare:workers";
import { unpackJson } from "#platform/packed-json.ts";

/** The packed rows of imports, as a text for searches. */
export async function unpackedRows(): Promise<string> {
  const { results } = await env.DB.prepare(
    "SELECT items AS packed FROM import_parts UNION ALL SELECT draft FROM import_drafts",
  ).all<{ packed: string }>();
  return JSON.stringify(await Promise.all(results.map(({ packed }) => unpackJson(packed))));
}
