import { describe, expect, it } from "vitest";
import { holdsPromise } from "./house.ts";

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
