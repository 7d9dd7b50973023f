/**
 * Cross-site request forgery: a browser sends the session's cookie with whatever any page makes it send. A change
 * by cookie therefore has to say what a foreign page cannot: a header of its own, which no form sets and which
 * another origin may set only if CORS lets it, and where it comes from, which the browser itself says.
 * (`hono/csrf` looks at form bodies alone; ours are JSON.)
 */
import { ApiError } from "#kernel/errors.ts";

export interface CsrfHeaders {
  /** `x-service-csrf` */
  proof: string | undefined;
  /** `Sec-Fetch-Site`: every present browser sends it, and no page can change it. */
  fetchSite: string | undefined;
  origin: string | undefined;
}

/** What is wrong with a change by cookie; undefined: nothing. */
export function csrfProblem(
  { proof, fetchSite, origin }: CsrfHeaders,
  trusted: { ownOrigin: string; allowedOrigins: ReadonlySet<string> },
): "no_proof" | "foreign_origin" | undefined {
  if (proof !== "1") return "no_proof";
  if (fetchSite === "same-origin") return undefined;
  // A console on another origin that the operator lists: its pages are `same-site` or `cross-site` here.
  if (origin !== undefined && trusted.allowedOrigins.has(origin)) return undefined;
  if (fetchSite !== undefined) return "foreign_origin";
  return origin === trusted.ownOrigin ? undefined : "foreign_origin";
}

export function csrfError(problem: NonNullable<ReturnType<typeof csrfProblem>>): ApiError {
  return new ApiError(
    "csrf_required",
    problem === "no_proof"
      ? "A change in a browser session needs the header `x-service-csrf: 1`."
      : "A change in a browser session must come from this site, or from an origin of ALLOWED_ORIGINS.",
  );
}
