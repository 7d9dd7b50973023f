import { isLoopback } from "#platform/loopback.ts";

/** The operator's setting `PUBLIC_URL`: the origin at which this installation is reached. */
export type PublicUrl = { ok: true; url: string | undefined } | { ok: false; problem: string };

/**
 * The origin without a trailing slash; undefined: not set. Plain http is allowed only on loopback, where no cloud
 * reaches it.
 */
export function readPublicUrl(setting: string | undefined): PublicUrl {
  const text = setting?.trim() ?? "";
  if (text === "") return { ok: true, url: undefined };
  const url = URL.parse(text);
  const isPlain = url !== null && [url.origin, `${url.origin}/`].includes(text.toLowerCase());
  if (!isPlain || !(url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))))
    return {
      ok: false,
      problem:
        "PUBLIC_URL must be the address of this installation without a path, for example https://control.example.com.",
    };
  return { ok: true, url: url.origin };
}
