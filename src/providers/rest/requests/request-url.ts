/** Where a request goes: to a declared host of the provider, or to what the operator put in its place. */
import type { ProviderContext } from "#providers/provider.ts";
import type { Failed, RequestSpec, RestProviderDefinition } from "#providers/rest/definition.ts";
import type { RestType } from "#providers/rest/rest-type.ts";
import { type Attempt, failure, placeholderSources } from "./attempt.ts";
import { type FilledPath, fillPath } from "./fill-path.ts";

/** The host that `baseUrl` names. */
const BASE = "";

class UnfitRegion extends Error {}

export type RequestUrl = { ok: true; url: string } | { ok: false; failed: Failed };

/** The URL of a request. A link in an answer leads to a declared host or nowhere. */
export function requestUrl(attempt: Attempt, spec: RequestSpec): RequestUrl {
  const { definition, context, row } = attempt;
  const provider = definition.types.name;
  const filled =
    spec.filled === true
      ? { ok: true as const, path: spec.path }
      : (unfitId(row, spec.id) ?? fillPath(spec.path, placeholderSources(attempt, spec.id)));
  if (!filled.ok) return { ok: false, failed: failure(filled.code, filled.message) };
  const path = withQuery(filled.path, { ...definition.query?.(context), ...spec.query });
  if (!path.startsWith("/")) {
    const url = URL.parse(path);
    const placed = url === null ? undefined : placedUrl(definition, context, url);
    if (placed !== undefined) return { ok: true, url: placed };
    return refused(
      `The request to ${provider} would go to another origin. Check the target's config.`,
    );
  }
  try {
    const text = baseOf(definition, context, spec.host ?? row.host ?? BASE) + path;
    if (URL.canParse(text)) return { ok: true, url: text };
    return refused(`A request to ${provider} has no valid URL. Check the target's config.`);
  } catch (error) {
    if (!(error instanceof UnfitRegion)) throw error;
    return refused(
      `The target's region cannot be part of a host of ${provider}. Give it a region of a-z, 0-9 and hyphens.`,
    );
  }
}

/** An id begins with a slash where the row's known one does: otherwise one object would have two. */
function unfitId(row: RestType, id: string | undefined): FilledPath | undefined {
  const known = row.id?.known ?? "";
  if (id === undefined || id.startsWith("/") === known.startsWith("/")) return undefined;
  const message = `An id of this type begins ${known.startsWith("/") ? "with" : "without"} a slash. Correct "${id.slice(0, 200)}".`;
  return { ok: false, code: "invalid_path_value", message };
}

function refused(message: string): RequestUrl {
  return { ok: false, failed: failure("invalid_url", message) };
}

/** The base URL of a host, without a trailing slash. */
function baseOf(
  definition: RestProviderDefinition,
  context: ProviderContext,
  name: string,
): string {
  const { endpoint, endpoints } = context;
  const named = endpoints !== undefined && Object.hasOwn(endpoints, name) ? endpoints[name] : null;
  const override = endpoints === undefined || name === BASE ? endpoint : named;
  return override?.replace(/\/+$/, "") ?? declaredBase(definition, context, name);
}

/** The same, of the cloud itself. */
function declaredBase(
  definition: RestProviderDefinition,
  context: ProviderContext,
  name: string,
): string {
  const seen = inHosts(context);
  const url = name === BASE ? definition.baseUrl(seen) : definition.hosts?.[name]?.(seen);
  if (url === undefined) throw new Error(`${definition.types.name} declares no host named ${name}`);
  return url.replace(/\/+$/, "");
}

/** The context as a host sees it, whose region must not change the host's domain. */
function inHosts(context: ProviderContext): ProviderContext {
  return Object.defineProperty({ ...context }, "region", {
    get: () => {
      if (/^[a-z0-9-]+$/.test(context.region)) return context.region;
      throw new UnfitRegion("The region does not fit into a host");
    },
  });
}

/**
 * Where a link of an answer leads: to a host as it is reached, or, if it names the cloud's own that the operator has
 * replaced, to the same path there. Undefined: to no declared host.
 */
function placedUrl(
  definition: RestProviderDefinition,
  context: ProviderContext,
  link: URL,
): string | undefined {
  const bases = [BASE, ...Object.keys(definition.hosts ?? {})].flatMap((name) => {
    try {
      const declared = declaredBase(definition, context, name);
      return [{ declared, reached: baseOf(definition, context, name) }];
    } catch (error) {
      if (error instanceof UnfitRegion) return [];
      throw error;
    }
  });
  if (bases.some(({ reached }) => URL.parse(reached)?.origin === link.origin)) return link.href;
  const own = bases.find(({ declared }) => URL.parse(declared)?.origin === link.origin);
  if (own === undefined) return undefined;
  const { pathname } = new URL(own.declared);
  const isBelow = pathname !== "/" && `${link.pathname}/`.startsWith(`${pathname}/`);
  const rest = isBelow ? link.pathname.slice(pathname.length) : link.pathname;
  return `${own.reached}${rest}${link.search}`;
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const present = new URLSearchParams(path.slice(path.indexOf("?") + 1));
  const missing = Object.entries(query).filter(
    ([name]) => !path.includes("?") || !present.has(name),
  );
  const text = new URLSearchParams(missing).toString();
  return text === "" ? path : `${path}${path.includes("?") ? "&" : "?"}${text}`;
}
