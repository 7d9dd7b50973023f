import type * as z from "zod";

/** The deviations of an answer from its schema, undeclared members included; undefined: none. */
export function answerProblems(schema: z.ZodType | undefined, body: string): string | undefined {
  if (schema === undefined) return body === "" ? undefined : "a body where none is declared";
  const answered: unknown = JSON.parse(body);
  const result = schema.safeParse(answered);
  if (!result.success)
    return result.error.issues
      .map((issue) => `${issue.path.join(".")}: ${issue.message}`)
      .join("; ");
  return undeclared(answered, result.data, "");
}

function undeclared(answered: unknown, declared: unknown, at: string): string | undefined {
  if (typeof answered !== "object" || answered === null) return undefined;
  if (typeof declared !== "object" || declared === null) return `${at}: not declared`;
  for (const [key, value] of Object.entries(answered)) {
    if (!Object.hasOwn(declared, key)) return `${at}/${key}: not declared`;
    const inner = undeclared(value, (declared as Record<string, unknown>)[key], `${at}/${key}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}
