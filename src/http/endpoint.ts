/**
 * The declaration of an endpoint is the only place that says what it is: the router, the validators, the
 * access rule, the OpenAPI document, the checks of answers in tests and the access matrix all read it.
 */
import type * as z from "zod";
import type { Access } from "#kernel/access/access.ts";
import type { ErrorCode } from "#kernel/errors.ts";
import type { QuotaName } from "#schema/plans.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Below `/api/v1`, with `{holes}`: `/deployments/{id}/cancel`. */
  path: string;
  operationId: string;
  /** The area's heading in the document. */
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  params?: P;
  query?: Q;
  /** Others than the declared query parameters may be sent too, and mean nothing: somebody else made the URL. */
  openQuery?: boolean;
  body?: B;
  /** A body as somebody might send it, for the document. */
  exampleBody?: z.input<B>;
  /** An absent body counts as `{}`. Default: a body is required where one is declared. */
  bodyOptional?: boolean;
  /** Default 64 KiB. */
  maxBodyBytes?: number;
  /** The answer to success. No schema: no body (204), or not JSON (`mediaType`). */
  answer: {
    status: 200 | 201 | 202 | 204 | 302;
    description: string;
    schema?: A;
    /** Beside JSON: `text/event-stream`. */
    otherMediaType?: string;
  };
  /** The resource the `Location` header names, from the answered body: `/deployments/{id}`. */
  location?: string;
  /** A single resource: answers an ETag of its version. */
  etag?: boolean;
  /** The answer carries a secret: where it is stored for a repeated request, it is sealed. */
  secretAnswer?: boolean;
  /**
   * Changes nothing, though its method is one of those that do, or leaves nobody who could repeat it: an
   * Idempotency-Key means nothing to it.
   */
  safe?: boolean;
  /** What each call uses one of, once the caller and the object are known: an exact quota of the tenant's. */
  quota?: QuotaName;
  /** Answers what goes on after the answer: `Prefer: wait=N` holds it back until that has ended. */
  waits?: boolean;
  /** It will go: `Deprecation`, `Sunset` and a link to what takes its place. Epoch milliseconds. */
  deprecated?: { sinceMs: number; sunsetMs: number; link: string };
  /** By status: a failure that is told in a shape of its own (another protocol's), in place of a problem. */
  failures?: { readonly [status: number]: { description: string; schema: z.ZodType } };
  /** Problems beyond those every endpoint of its shape may answer. */
  problems?: readonly ErrorCode[];
}

export function endpoint<
  P extends z.ZodType = z.ZodNever,
  Q extends z.ZodType = z.ZodNever,
  B extends z.ZodType = z.ZodNever,
  A extends z.ZodType = z.ZodNever,
>(declaration: Endpoint<P, Q, B, A>): Endpoint<P, Q, B, A> {
  return declaration;
}

/** The validated input of an endpoint. What it does not declare is `undefined`. */
export interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
}

/** Whether an Idempotency-Key of a request to this endpoint means anything. */
export function takesIdempotencyKey({ method, safe }: Pick<Endpoint, "method" | "safe">): boolean {
  return isMutation(method) && safe !== true;
}

/** True for methods that change something: they are never answered from a cache and may carry an Idempotency-Key. */
export function isMutation(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}
