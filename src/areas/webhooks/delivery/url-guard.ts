/**
 * The permitted URLs of webhooks (SSRF protection): the Worker sends requests on a tenant's behalf, so they must only
 * reach the public internet and no host that trusts this network. All rules apply to the parsed URL: WHATWG parsing
 * normalizes decimal, octal, hex, percent-encoded and full-width spellings of an address.
 */
import type { Bindings } from "#kernel/bindings.ts";
import { bareHost } from "#kernel/hosts/own-hosts.ts";
import { isLoopback } from "#platform/loopback.ts";

export interface GuardSettings {
  /** Admits loopback hosts, by http or https, at any port. For development only. */
  allowLoopback: boolean;
  /** Lower-case names of this installation's own hosts. */
  ownHosts: ReadonlySet<string>;
}

export type GuardedUrl = { ok: true; url: URL } | { ok: false; reason: string };

const admittedPorts: ReadonlySet<string> = new Set(["", "443", "8443"]);
/** Names of private networks: reserved ones, and common ones of routers and companies (RFC 6762, appendix G). */
const privateSuffixes = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "lan",
  "home",
  "corp",
  "home.arpa",
] as const;
/** Domains whose names resolve to the address written in the name, or to loopback. */
const wildcardAddressSuffixes = [
  "nip.io",
  "sslip.io",
  "xip.io",
  "localtest.me",
  "lvh.me",
  "traefik.me",
  "vcap.me",
] as const;

/** `seen`: the host names by which requests reached the service. */
export function guardSettings(
  env: Pick<Bindings, "ALLOWED_ORIGINS" | "WEBHOOK_ALLOW_INSECURE">,
  seen: ReadonlySet<string>,
): GuardSettings {
  return {
    allowLoopback: env.WEBHOOK_ALLOW_INSECURE === "on",
    ownHosts: new Set([...hostsOf(env.ALLOWED_ORIGINS), ...seen]),
  };
}

let lastOrigins: { text: string; hosts: readonly string[] } | undefined;

/** Parsed once, because each attempt needs it: the setting does not change during the isolate's life. */
function hostsOf(text: string): readonly string[] {
  if (lastOrigins?.text !== text) {
    const origins = text.split(",").map((origin) => URL.parse(origin.trim()));
    const hosts = origins.flatMap((origin) => (origin === null ? [] : [bareHost(origin)]));
    lastOrigins = { text, hosts };
  }
  return lastOrigins.hosts;
}

/** Checked on create, on update and before each attempt. `reason` is a sentence for the caller. */
export function guardUrl(text: string, settings: GuardSettings): GuardedUrl {
  const url = URL.parse(text);
  if (url === null) return refused("The URL cannot be parsed. Write it as https://host/path.");
  if (url.username !== "" || url.password !== "")
    return refused("The URL must not carry a user name or password.");
  if (url.href.includes("#")) return refused("The URL must not have a fragment (#…).");
  const host = bareHost(url);
  const isHttp = url.protocol === "http:" || url.protocol === "https:";
  if (settings.allowLoopback && isHttp && isLoopback({ hostname: host })) return { ok: true, url };
  if (url.protocol !== "https:") return refused("The URL must start with https://.");
  if (!admittedPorts.has(url.port)) return refused("The port must be 443 or 8443.");
  const fault = hostFault(host, settings.ownHosts);
  return fault === undefined ? { ok: true, url } : refused(fault);
}

function hostFault(host: string, ownHosts: ReadonlySet<string>): string | undefined {
  if (host.startsWith("[") || isIpv4(host))
    return "The host must be a name: IP addresses are not allowed.";
  const labels = host.split(".");
  if (labels.includes("")) return "The host name has an empty label.";
  if (labels.length < 2) return "The host must be a full public name with a dot, like example.com.";
  if (privateSuffixes.some((suffix) => isUnder(host, suffix)))
    return "The host is a name for private networks, which are not allowed.";
  if (wildcardAddressSuffixes.some((suffix) => isUnder(host, suffix)))
    return "Names that stand for an IP address, like those under nip.io, are not allowed.";
  if (ownHosts.has(host)) return "The host is this service itself. Choose another receiver.";
  return undefined;
}

function isUnder(host: string, suffix: string): boolean {
  return host === suffix || host.endsWith(`.${suffix}`);
}

function isIpv4(host: string): boolean {
  return /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host);
}

function refused(reason: string): GuardedUrl {
  return { ok: false, reason };
}
