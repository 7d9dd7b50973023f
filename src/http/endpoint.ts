/**
 * The single source of an endpoint: the router, the validators, the access rule, the OpenAPI document, the answer
 * checks in tests and the access matrix all read its declaration.
 */
import type * as z from "zod";
import type { Access } from "#kernel/access/access.ts";
import type { ErrorCode } from "#kernel/errors.ts";
import type { QuotaName } from "#schema/lists/plans.ts";

export interface TextBody {
  /** The document names the first one. */
  mediaTypes: readonly [string, ...string[]];
  member: string;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  A extends z.ZodType = z.ZodType,
> {
  method: Method;
  /** Below `/api/v1`, with parameters in braces: `/deployments/{id}/cancel`. */
  path: string;
  operationId: string;
  /** The area's heading in the document. */
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  params?: P;
  query?: Q;
  /** Undeclared query parameters are ignored instead of rejected: another party builds the URL. */
  openQuery?: boolean;
  /** The handler reads the body, of whatever type: another party sends it. */
  openBody?: boolean;
  body?: B;
  /** An example body for the document. */
  exampleBody?: z.input<B>;
  /** The body may also be text of these media types: it stands for a JSON body with the text as this member. */
  textBody?: TextBody;
  /** Members that another endpoint takes, each with its method and path: `POST /templates/{id}/versions`. */
  elsewhere?: Readonly<Record<string, string>>;
  /** A missing body counts as `{}`. Default: a declared body is required. */
  bodyOptional?: boolean;
  /** Default 64 KiB. */
  maxBodyBytes?: number;
  /** The answer on success. Without `schema`: no body (204), or one that is not JSON (`otherMediaTypes`). */
  answer: {
    status: 200 | 201 | 202 | 204 | 302;
    description: string;
    schema?: A;
    /** Further media types: `text/event-stream`. */
    otherMediaTypes?: readonly string[];
  };
  /** A request may ask for a dry run, which answers 200 with `id: null`. */
  dryRun?: boolean;
  /** The path of the `Location` header, filled from the answer's body: `/deployments/{id}`. */
  location?: string;
  /**
   * The path of the GET endpoint with the same view, if it is neither `location` nor this endpoint's own. A repeated
   * request reads a long answer there. Null: the answer is short, apart from members of the request.
   */
  shows?: string | null;
  /** Answers with an ETag made from the resource's version. */
  etag?: boolean;
  /** The answer contains a secret: it is sealed when it is stored for a repeated request. */
  secretAnswer?: boolean;
  /** Changes nothing despite its method: a page may ask it, and it ignores Idempotency-Key. */
  safe?: boolean;
  /** Ignores Idempotency-Key, as it ends the session that would repeat the request. */
  unkeyed?: boolean;
  /** The tenant's quota that each request counts against, once the caller and the object are known. */
  quota?: QuotaName;
  /** A larger body counts once for each part of this size, and is parsed only if the quota allows it. */
  quotaBytes?: number;
  /**
   * Starts work that continues after the answer: `Prefer: wait=N` delays the answer until that work has
   * ended.
   */
  waits?: boolean;
  /**
   * The endpoint will be removed: answers carry `Deprecation`, `Sunset` and a link to the replacement. Epoch
   * milliseconds.
   */
  deprecated?: { sinceMs: number; sunsetMs: number; link: string };
  /** By status: failures in the shape of another protocol instead of problem details. */
  failures?: { readonly [status: number]: { description: string; schema: z.ZodType } };
  /** Problems beyond those that follow from the endpoint's shape. */
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

/** The validated input of an endpoint. Undeclared parts are `undefined`. */
export interface Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> {
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
}

/** Whether the endpoint accepts an Idempotency-Key. */
export function takesIdempotencyKey({
  method,
  safe,
  unkeyed,
}: Pick<Endpoint, "method" | "safe" | "unkeyed">): boolean {
  return isMutation(method) && safe !== true && unkeyed !== true;
}

/** Whether the endpoint refuses names that it does not declare, unless the request prefers `handling=lenient`. */
export function isStrict({
  openQuery,
  openBody,
}: Pick<Endpoint, "openQuery" | "openBody">): boolean {
  return openQuery !== true || openBody !== true;
}

/** True for methods that change something: their caller is never taken from a cache. */
export function isMutation(method: string): boolean {
  return method !== "GET" && method !== "HEAD" && method !== "OPTIONS";
}
