/** The document's promises to the author of a client, for every schema and every answer. */
import { Validator } from "@cfworker/json-schema";
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { nameEnums } from "#areas/docs/document/name-enums.ts";
import { requireDescriptions } from "#areas/docs/document/require-descriptions.ts";
import { version } from "#package.json";

interface Schema {
  [key: string]: unknown;
}
interface Document {
  info: { version: string };
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string;
        responses: Record<
          string,
          { content?: Record<string, { schema: Schema; example?: unknown }> }
        >;
      }
    >
  >;
  components: { schemas: Record<string, Schema> };
}

const answer = await exports.default.fetch(
  new Request("https://api.example.com/api/v1/openapi.json"),
);
const document = (await answer.json()) as Document;
const { schemas } = document.components;
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

/** Every object below the value, with the path of keys to it. */
function* objectsIn(value: unknown, path = ""): Generator<[string, Schema]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Schema];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${path}/${key}`);
}

/** The keywords of JSON Schema that hold for values of one type. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  string: ["pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"],
  object: [
    "properties",
    "required",
    "additionalProperties",
    "propertyNames",
    "patternProperties",
    "minProperties",
    "maxProperties",
  ],
};

/** Generators make code of them that does not compile, or refuses every value. */
function misplacedKeywords(value: unknown): string[] {
  return [...objectsIn(value)].flatMap(([path, schema]) => {
    if (/\/(?:example|examples|default|const)(?:\/|$)/.test(path)) return [];
    const given = [schema["type"]].flat();
    if (!given.every((type) => typeof type === "string") || given.length === 0) return [];
    const types = given.map((type) => (type === "integer" ? "number" : type));
    const wrong = Object.entries(keywordsOf).flatMap(([type, keywords]) =>
      types.includes(type) ? [] : keywords.filter((keyword) => Object.hasOwn(schema, keyword)),
    );
    const format = schema["format"];
    if (typeof format === "string" && !types.includes("string") && !/^(?:int|double)/.test(format))
      wrong.push("format");
    return wrong.map((keyword) => `${path}: ${keyword} beside ${types.join()}`);
  });
}

it.each([
  [{ type: "integer", pattern: "^1$" }, ["pattern"]],
  [{ type: "boolean", minLength: 1 }, ["minLength"]],
  [{ type: "string", minimum: 1, items: {} }, ["minimum", "items"]],
  [{ type: ["string", "null"], maxLength: 1 }, []],
  [{ type: "integer", format: "uuid" }, ["format"]],
  [{ properties: { type: { type: "string" } } }, []],
])("finds the keywords of another type in %j", (schema, keywords) => {
  expect(misplacedKeywords({ a: schema })).toEqual(
    keywords.map((keyword) => expect.stringContaining(`: ${keyword} beside`)),
  );
});

describe("the document", () => {
  it("has the version of the package", () => {
    expect(document.info.version).toBe(version);
  });

  it("describes every field", () => {
    for (const [path, schema] of objectsIn(schemas)) {
      if (!path.endsWith("/properties")) continue;
      for (const [name, field] of Object.entries(schema)) {
        const { description, $ref } = field as { description?: string; $ref?: string };
        const named = $ref === undefined ? undefined : schemas[$ref.split("/").at(-1) ?? ""];
        expect(description ?? named?.["description"], `${path}/${name}`).toMatch(/\w/);
      }
    }
  });

  it("has no keyword of one type beside another type", () => {
    expect(misplacedKeywords(document)).toEqual([]);
  });

  it("has each closed list once, as a component", () => {
    const lists = [...objectsIn(schemas)].filter(
      ([path, { enum: words }]) =>
        Array.isArray(words) && words.length > 1 && !path.endsWith("/propertyNames"),
    );
    expect(lists.map(([path]) => path).filter((path) => path.split("/").length > 2)).toEqual([]);
    const words = lists.map(([, { enum: each }]) => JSON.stringify(each));
    expect(new Set(words).size).toBe(words.length);
    expect(words.length).toBeGreaterThan(30);
  });

  it("leaves answers open to additions", () => {
    for (const { responses } of operations)
      for (const { content = {} } of Object.values(responses))
        for (const [path, { additionalProperties }] of objectsIn(content))
          expect(additionalProperties, path).not.toBe(false);
  });

  it("has an example for every answer of success, which the schema accepts", () => {
    let checked = 0;
    for (const { operationId, responses } of operations)
      for (const [status, { content = {} }] of Object.entries(responses)) {
        const media = content["application/json"];
        if (media === undefined || status >= "300") continue;
        expect(media.example, `${operationId} ${status}`).toBeDefined();
        const validator = new Validator(
          { ...media.schema, components: document.components },
          "2020-12",
          false,
        );
        const { errors } = validator.validate(media.example);
        expect(errors, `${operationId} ${JSON.stringify(media.example)}`).toEqual([]);
        checked += 1;
      }
    expect(checked).toBeGreaterThan(90);
  });
});

describe("a declaration that is not complete", () => {
  const list = { type: "string", enum: ["A", "B"] };
  const documentOf = (field: object) =>
    ({ paths: {}, components: { schemas: { Thing: { properties: { field } } } } }) as never;

  it("is refused: a closed list without a name, and a name without a list", () => {
    expect(() => nameEnums(documentOf(list), {})).toThrow(/no name.*Thing\.field/);
    const named = { "Thing.field": "Field", "Thing.other": "Other" };
    expect(() => nameEnums(documentOf(list), named)).toThrow(/name no list.*Other/);
    expect(() => nameEnums(documentOf(list), { "Thing.field": "Thing" })).toThrow(/taken/);
  });

  it("is refused: a field or a parameter without a description", () => {
    const inner = { description: "It.", items: { properties: { inner: {} } } };
    const get = { operationId: "getThing", parameters: [{ name: "id", in: "path" }] };
    expect(() => requireDescriptions(documentOf({}))).toThrow(/: Thing\.field$/);
    expect(() => requireDescriptions(documentOf(inner))).toThrow(/: Thing\.field\.inner$/);
    expect(() => requireDescriptions({ paths: { "/things/{id}": { get } } })).toThrow(
      /: getThing\.id$/,
    );
    expect(() => requireDescriptions(documentOf({ description: "It." }))).not.toThrow();
  });
});
