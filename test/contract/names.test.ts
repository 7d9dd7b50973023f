/**
 * No text of a request hides a character or turns a line around: every string of every body is tried, and those that
 * take one are listed here with the reason. The next field is found by its declaration.
 */
import { expect, it, describe } from "vitest";
import type * as z from "zod";
import { endpoints } from "#app.ts";

interface Field {
  of: string;
  name: string;
  schema: z.ZodType;
}

interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  innerType?: z.ZodType;
  element?: z.ZodType;
  in?: z.ZodType;
  out?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  getter?: () => z.ZodType;
}

/** The string fields of a schema: the deepest schema of each place that is still refined as the place is. */
function stringsIn(schema: z.ZodType, path: string[] = [], depth = 0): [string[], z.ZodType][] {
  if (depth > 12) return [];
  const def = (schema as unknown as { _zod: { def: Def } })._zod.def;
  const into = (inner: z.ZodType | undefined, step: string[] = []) =>
    inner === undefined ? [] : stringsIn(inner, [...path, ...step], depth + 1);
  if (def.type === "string") return [[path, schema]];
  if (def.type === "pipe") return [...into(def.in), ...into(def.out)];
  return [
    ...Object.entries(def.shape ?? {}).flatMap(([name, inner]) => into(inner, [name])),
    ...into(def.innerType),
    ...into(def.element, ["[]"]),
    ...(def.type === "record" ? into(def.valueType, ["*"]) : []),
    ...(def.options ?? []).flatMap((option) => into(option)),
  ];
}

const fields: Field[] = endpoints.flatMap((endpoint) =>
  endpoint.body === undefined
    ? []
    : stringsIn(endpoint.body).map(([path, schema]) => ({
        of: endpoint.operationId,
        name: path.join("."),
        schema,
      })),
);

/** A text of the right length in which one character is not seen. */
const withHidden = (hidden: string) => [`aaaaaaaaaaaa${hidden}bbbbbbbbbb`, `aa${hidden}bb`];
const hiddenAnywhere = [
  "\u0000",
  "\u001b",
  "\u202e",
  "\u2066",
  "\u200b",
  "\ufeff",
  "\u2028",
  "\ud800",
];

/** Fields that nobody sees as a name, with what they are. */
const notShown: Readonly<Record<string, string>> = {
  "createTemplate.source": "a program; what it names is checked by the parser",
  "addTemplateVersion.source": "the same",
  "validateTemplateSource.source": "the same",
  "validateTemplate.source": "the same",
  "createImport.files.[].path": "a file of somebody's code, analysed and not stored",
  "createImport.files.[].content": "the same",
  "createImport.files.[].format": "compared with a list",
};
/** Ids and names of other objects: an unknown one is refused or matches nothing. */
const reference =
  /(^|\.)(\w*Id|targetingKey|instanceId|output|outputs\.\[\]|secretNames\.\[\]|timezone|timeZone|cron|at|module|events\.\[\]|token|variant|\w*Url|url|\w+At)$/;

describe("a text of a request", () => {
  it("is found in the declarations", () => {
    expect(fields.length).toBeGreaterThan(60);
    const names = new Set(fields.map(({ name }) => name));
    for (const name of ["name", "title", "summary", "message", "description", "allowedRegions.[]"])
      expect(names).toContain(name);
  });

  it("holds nothing that its readers do not see", () => {
    const taking = fields.filter(({ of, name, schema }) => {
      if (Object.hasOwn(notShown, `${of}.${name}`) || reference.test(name)) return false;
      // The rule of labels is that of the whole record (labels.test.ts).
      if (/(^|\.)labels\.\*$/.test(name)) return false;
      return hiddenAnywhere.some((hidden) =>
        withHidden(hidden).some((text) => schema.safeParse(text).success),
      );
    });
    expect(taking.map(({ of, name }) => `${of}.${name}`)).toEqual([]);
  });

  it("that is a name is one line, trimmed and not blank", () => {
    const named =
      /(^|\.)(name|title|label|slug|summary|region|\w+Region|\w+Regions\.\[\]|components\.\[\])$/;
    const names = fields.filter(({ name }) => named.test(name));
    expect(names.length).toBeGreaterThan(15);
    for (const { of, name, schema } of names) {
      for (const text of [
        "aaaaaaaaaaaa\nbbbbbbb",
        "aaaaaaaaaaaa\tbbbbbb",
        "aaaaaaaaaaa\u200dbbbbbb",
      ])
        expect(schema.safeParse(text).success, `${of}.${name}`).toBe(false);
      const padded = schema.safeParse("  aaaaaaaaaaaa  ");
      if (padded.success) expect(padded.data, `${of}.${name}`).toBe("aaaaaaaaaaaa");
      if (!/Regions/.test(name))
        expect(schema.safeParse("            ").success, `${of}.${name}`).toBe(false);
    }
  });
});
