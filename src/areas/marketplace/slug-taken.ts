import { ApiError } from "#kernel/errors.ts";

export function slugTaken(slug: string): ApiError {
  return new ApiError("slug_taken", `The slug "${slug}" is taken. Choose another.`);
}
