import { ApiError } from "#platform/errors.ts";

export function slugTaken(slug: string): ApiError {
  return new ApiError("slug_taken", `The slug "${slug}" is taken. Choose another.`);
}
