import { describe, expect, it } from "vitest";
import { holdsPromise, isOfTheDocument } from "./house.ts";

describe("house/kept-promises", () => {
  const promise = { type: "TSTypeReference", typeName: { type: "Identifier", name: "Promise" } };
  const annotated = (type: object) => ({
    type: "VariableDeclarator",
    id: { type: "Identifier", typeAnnotation: { type: "TSTypeAnnotation", typeAnnotation: type } },
    init: null,
  });
  const promises = { type: "TSTypeParameterInstantiation", params: [promise] };

  it.each([
    ["let kept: Promise<T> | undefined", annotated({ type: "TSUnionType", types: [promise] })],
    [
      "const kept = new Map<string, Promise<T>>()",
      { type: "VariableDeclarator", init: { type: "NewExpression", typeArguments: promises } },
    ],
    [
      "const kept: { of?: Promise<T> } = {}",
      annotated({
        type: "TSTypeLiteral",
        members: [{ type: "TSPropertySignature", typeAnnotation: promise }],
      }),
    ],
  ])("reports the promise in `%s`", (_, node) => expect(holdsPromise(node)).toBe(true));

  it.each([
    ["let make: () => Promise<T>", annotated({ type: "TSFunctionType", returnType: promise })],
    [
      "const make = async (): Promise<T> => …",
      {
        type: "VariableDeclarator",
        init: { type: "ArrowFunctionExpression", returnType: promise },
      },
    ],
    ["let kept: string", annotated({ type: "TSStringKeyword" })],
  ])("allows `%s`", (_, node) => expect(holdsPromise(node)).toBe(false));
});

describe("house/prose", () => {
  /** The node of the text, below its parents: a call's arguments are not told from its parts. */
  const below = (...around: readonly object[]) =>
    around.reduceRight<object>((parent, node) => ({ ...node, parent }), {});
  const text = { type: "Literal", value: "A text." };
  const property = (name: string) => ({ type: "Property", key: { name } });
  const object = { type: "ObjectExpression" };
  const call = (callee: object) => ({ type: "CallExpression", callee });
  const endpoint = call({ name: "endpoint" });

  it.each([
    [".describe(text)", below(text, call({ property: { name: "describe" } }))],
    ["endpoint({ summary: text })", below(text, property("summary"), object, endpoint)],
    ["endpoint({ description: text })", below(text, property("description"), object, endpoint)],
    [
      "startEndpoint({ description: text })",
      below(text, property("description"), object, call({ name: "startEndpoint" })),
    ],
    [
      "endpoint({ answer: { description: text } })",
      below(text, property("description"), object, property("answer"), object, endpoint),
    ],
  ])("takes the text of `%s` for the document's", (_, node) =>
    expect(isOfTheDocument(node as never)).toBe(true),
  );

  it.each([
    ["refine(text)", below(text, call({ property: { name: "refine" } }))],
    ["endpoint({ tag: text })", below(text, property("tag"), object, endpoint)],
    [
      "endpoint({ exampleBody: { description: text } })",
      below(text, property("description"), object, property("exampleBody"), object, endpoint),
    ],
    ["{ description: text }", below(text, property("description"), object)],
  ])("keeps the text of `%s` in the Worker", (_, node) =>
    expect(isOfTheDocument(node as never)).toBe(false),
  );
});
