/** RFC 9457 problem details: the shape of every error. */
import { type ApiError, errorStatus, errorTitle, type RequestFault } from "#kernel/errors.ts";

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  requestId: string;
  errors?: readonly RequestFault[];
}

export function problemOf(error: ApiError, at: { path: string; requestId: string }): Problem {
  return {
    type: `/docs/errors#${error.code}`,
    title: errorTitle(error.code),
    status: errorStatus(error.code),
    detail: error.message,
    instance: at.path,
    code: error.code,
    requestId: at.requestId,
    ...(error.faults.length > 0 ? { errors: error.faults } : {}),
  };
}

export function problemResponse(
  error: ApiError,
  at: { path: string; requestId: string },
): Response {
  return new Response(JSON.stringify(problemOf(error, at)), {
    status: errorStatus(error.code),
    headers: { ...error.headers, "content-type": "application/problem+json" },
  });
}
