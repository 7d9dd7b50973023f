import { isLoopback } from "#platform/loopback.ts";

const EXAMPLE = "for example https://control.example.com";

/** The origin of a typed address; undefined: it is no address. A user's name before the host would hide the host. */
export function originIn(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.username}${url.password}` !== "")
    return undefined;
  return url.origin;
}

/** The origin to which an operator's key may be sent. Throws with the reason if it may not. */
export function operatorAddress(text: string): string {
  const origin = originIn(text);
  if (origin === undefined) throw new Error(`This is not an address, ${EXAMPLE}.`);
  if (origin.startsWith("https:") || isLoopback(new URL(origin))) return origin;
  throw new Error(
    `The address begins with http, so the operator's key could be read on the way. Name one with https, ${EXAMPLE}.`,
  );
}
