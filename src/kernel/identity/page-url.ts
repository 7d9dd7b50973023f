import type { Bindings } from "#kernel/bindings.ts";
import { readPublicUrl } from "./public-url.ts";

export type PageSettings = Pick<Bindings, "PUBLIC_URL">;

/** What has a page of its own in the console, by its folder. */
const folders = { deployment: "deployments", instance: "instances" } as const;

/**
 * The address of the console's page of an object. Made of the setting alone: the `Host` of a request is its sender's,
 * and the address is stored and shown to others. Null: `PUBLIC_URL` is not set, or malformed, which `GET /health` tells
 * operators.
 */
export function pageUrl(
  { PUBLIC_URL }: PageSettings,
  owner: keyof typeof folders,
  id: string,
): string | null {
  const read = readPublicUrl(PUBLIC_URL);
  return read.ok && read.url !== undefined
    ? `${read.url}/${folders[owner]}/${encodeURIComponent(id)}`
    : null;
}
