/**
 * Protection against cross-site request forgery: a browser attaches the session cookie to requests from any
 * page. A change by cookie therefore needs two things that a foreign page cannot fake: a custom header, which
 * forms cannot set and other origins can set only if CORS allows it, and the origin, which the browser itself
 * reports. (`hono/csrf` looks at form bodies alone; ours are JSON.)
 */
import { ApiError } from "#kernel/errors.ts";

export interface CsrfHeaders {
  /** `x-service-csrf` */
  proof: string | undefined;
  /** `Sec-Fetch-Site`: current browsers send it, and no page can change it. */
  fetchSite: string | undefined;
  origin: string | undefined;
}

/** Why a change by cookie is rejected; undefined: it is accepted. */
export function csrfProblem(
  { proof, fetchSite, origin }: CsrfHeaders,
  trusted: { ownOrigin: string; allowedOrigins: ReadonlySet<string> },
): "no_proof" | "foreign_origin" | undefined {
  if (proof !== "1") return "no_proof";
  if (fetchSite === "same-origin") return undefined;
  // A console on another origin, listed by the operator. Its pages send `same-site` or `cross-site`.
  if (origin !== undefined && trusted.allowedOrigins.has(origin)) return undefined;
  if (fetchSite !== undefined) return "foreign_origin";
  return origin === trusted.ownOrigin ? undefined : "foreign_origin";
}

export function csrfError(problem: NonNullable<ReturnType<typeof csrfProblem>>): ApiError {
  return new ApiError(
    "csrf_required",
    problem === "no_proof"
      ? "Changes in a browser session need the header `x-service-csrf: 1`."
      : "Changes in a browser session must come from a page of this service or of an origin listed in ALLOWED_ORIGINS: a browser says so with `Sec-Fetch-Site` or `Origin`; another client sends `Origin` itself.",
  );
}
