import type { Bindings } from "#kernel/bindings.ts";
import { readPublicUrl } from "./public-url.ts";

export type PageSettings = Pick<Bindings, "PUBLIC_URL">;

/** The objects with a page of their own in the console, by its folder. */
const folders = { deployment: "deployments", instance: "instances" } as const;

/**
 * The address of an object's page in the console. It is built only from the setting: the `Host` of a request comes from
 * its sender, and the address is stored and shown to others. Null: `PUBLIC_URL` is missing or malformed, which `GET
 * /health` reports to operators.
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
