/**
 * True: requests to this address are allowed, that is, with TLS, or to this machine in development, without credentials
 * and fragment.
 */
import { isLoopback } from "#platform/loopback.ts";

export function isSafeUrl(text: string, development: boolean): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  if (url.protocol === "https:") return true;
  return development && url.protocol === "http:" && isLoopback(url);
}
