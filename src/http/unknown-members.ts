import type * as z from "zod";
import { isJsonMap } from "#platform/json.ts";

/** A member of a request that its schema does not declare. */
export interface UnknownMember {
  path: readonly string[];
  /** The names that are declared at its place. */
  known: readonly string[];
}

/** The types without members of their own. */
const leaves: ReadonlySet<string> = new Set([
  "any",
  "boolean",
  "enum",
  "literal",
  "never",
  "null",
  "number",
  "string",
  "transform",
  "undefined",
  "unknown",
]);

/**
 * The members of `value` that the schema would drop in silence, in the order of the value. Maps with free keys and
 * loose objects declare every name but `__proto__`, which zod drops.
 */
export function unknownMembers(
  schema: z.core.$ZodType,
  value: unknown,
  path: readonly string[] = [],
): UnknownMember[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "object") return isJsonMap(value) ? unknownInObject(def, value, path) : [];
  if (def.type === "union") return unknownInUnion(def, value, path);
  if (def.type === "array")
    return Array.isArray(value)
      ? value.flatMap((item, at) => unknownMembers(def.element, item, [...path, String(at)]))
      : [];
  if (def.type === "record")
    return isJsonMap(value)
      ? Object.entries(value).flatMap(([key, item]) =>
          key === "__proto__"
            ? [{ path: [...path, key], known: [] }]
            : unknownMembers(def.valueType, item, [...path, key]),
        )
      : [];
  if (def.type === "pipe") return unknownMembers(def.in, value, path);
  if (def.type === "lazy") return unknownMembers(def.getter(), value, path);
  if ("innerType" in def) return unknownMembers(def.innerType, value, path);
  if (leaves.has(def.type)) return [];
  throw new Error(`Unknown members are not looked for in a schema of type ${def.type}`);
}

function unknownInObject(
  { shape, catchall }: z.core.$ZodObjectDef,
  value: Readonly<Record<string, unknown>>,
  path: readonly string[],
): UnknownMember[] {
  const isOpen = catchall !== undefined && catchall._zod.def.type !== "never";
  return Object.entries(value).flatMap(([name, inner]) => {
    const declared = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (declared !== undefined) return unknownMembers(declared, inner, [...path, name]);
    return isOpen && name !== "__proto__"
      ? []
      : [{ path: [...path, name], known: Object.keys(shape) }];
  });
}

/** For a union without a known kind, the fitting choices count; if none fits, validation refuses the value. */
function unknownInUnion(
  { options, discriminator }: z.core.$ZodUnionDef & { discriminator?: string },
  value: unknown,
  path: readonly string[],
): UnknownMember[] {
  const fits = (option: z.core.$ZodType): boolean => {
    if (discriminator === undefined) return parses(option, value);
    const kinds = option._zod.propValues?.[discriminator];
    return isJsonMap(value) && kinds?.has(value[discriminator] as z.core.util.Primitive) === true;
  };
  const unknown = options.filter(fits).map((option) => unknownMembers(option, value, path));
  return unknown.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

function parses(schema: z.core.$ZodType, value: unknown): boolean {
  const { issues } = schema._zod.run({ value, issues: [] }, { async: false }) as {
    issues: unknown[];
  };
  return issues.length === 0;
}
