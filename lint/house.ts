/**
 * The project's own lint rules for oxlint. `house/imports` enforces the architecture: who may import whom (floors.ts).
 * `house/zod` keeps the bundle small. `house/kept-promises` keeps promises out of an isolate's global state. `house/prose` keeps texts
 * that only the API document shows out of the Worker. `house/words` and `house/essay-first` are in words.ts.
 */
import { type ImportNode, problemWith } from "./floors.ts";
import { bannedWords, misplacedEssay } from "./words.ts";

interface Location {
  start: { line: number; column: number };
  end: { line: number; column: number };
}

interface RuleContext {
  filename: string;
  sourceCode: { text: string };
  report: (problem: { message: string } & ({ node: object } | { loc: Location })) => void;
}

/** Relative to the project. */
function pathOf({ filename }: RuleContext): string {
  const root = process.cwd();
  return filename.startsWith(root) ? filename.slice(root.length + 1) : filename;
}

const imports = {
  create(context: RuleContext) {
    const file = pathOf(context);
    const check = (node: ImportNode & { source: { value: string } | null }): void => {
      if (node.source === null) return;
      const message = problemWith(file, node);
      if (message !== undefined) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

const zod = {
  create(context: RuleContext) {
    return {
      ImportDeclaration(node: ImportNode): void {
        if (node.source.value !== "zod") return;
        if (node.specifiers?.every(({ type }) => type === "ImportNamespaceSpecifier")) return;
        context.report({
          node,
          message:
            'Write `import * as z from "zod"`: the named import bundles four times the code.',
        });
      },
    };
  },
};

interface SyntaxNode {
  type: string;
  parent?: SyntaxNode;
  declarations?: readonly SyntaxNode[];
  static?: boolean;
}

/** True when a value of this declaration contains a promise; the results of functions do not count. */
export function holdsPromise(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(holdsPromise);
  if (typeof node !== "object" || node === null) return false;
  const { type, typeName, ...parts } = node as { type?: string; typeName?: { name?: string } };
  if (type === undefined || /Function|TSMethodSignature|AwaitExpression/.test(type)) return false;
  if (type === "TSTypeReference" && typeName?.name === "Promise") return true;
  return Object.entries(parts).some(([name, part]) => name !== "parent" && holdsPromise(part));
}

const keptPromises = {
  create(context: RuleContext) {
    const file = pathOf(context);
    if (!file.startsWith("src/") || /\.test\.tsx?$/.test(file)) return {};
    const check = (node: SyntaxNode): void => {
      if (holdsPromise(node))
        context.report({
          node,
          message:
            "A promise whose request ends first never settles, and everyone who awaits it hangs. Store the value instead, with `once` of src/platform/once.ts.",
        });
    };
    return {
      VariableDeclaration(node: SyntaxNode): void {
        if (/^(Program|ExportNamedDeclaration)$/.test(node.parent?.type ?? ""))
          for (const declared of node.declarations ?? []) check(declared);
      },
      PropertyDefinition(node: SyntaxNode): void {
        if (node.static === true) check(node);
      },
    };
  },
};

interface CodeNode {
  type: string;
  parent?: CodeNode;
  callee?: CodeNode;
  arguments?: readonly CodeNode[];
  property?: CodeNode;
  key?: CodeNode;
  left?: CodeNode;
  right?: CodeNode;
  expressions?: readonly CodeNode[];
  name?: string;
  value?: unknown;
}

const isCallOf = (name: string, node: CodeNode | undefined): boolean =>
  node?.type === "CallExpression" &&
  (node.callee?.name === name || node.callee?.property?.name === name);

/**
 * True for the argument of `.describe(…)`, and for the summary and the descriptions of an `endpoint({ … })` or of a
 * function that declares one, `startEndpoint({ … })`.
 */
export function isOfTheDocument(node: CodeNode): boolean {
  const { parent } = node;
  if (isCallOf("describe", parent)) return true;
  if (parent?.type !== "Property" || !/^(summary|description)$/.test(parent.key?.name ?? ""))
    return false;
  const around = parent.parent?.parent;
  const declared =
    around?.type === "Property" && around.key?.name === "answer" ? around.parent?.parent : around;
  return declared?.type === "CallExpression" && /(^e|E)ndpoint$/.test(declared.callee?.name ?? "");
}

const isText = ({ type, value, left, right, expressions }: CodeNode): boolean =>
  (type === "Literal" && typeof value === "string") ||
  (type === "TemplateLiteral" && expressions?.length === 0) ||
  (type === "BinaryExpression" && [left, right].some((part) => part !== undefined && isText(part)));

const prose = {
  create(context: RuleContext) {
    const file = pathOf(context);
    if (!/^src\/(areas|http)\//.test(file) || /\.test\.tsx?$/.test(file)) return {};
    const requireProse = (node: CodeNode): void => {
      if (isText(node) && isOfTheDocument(node))
        context.report({ node, message: "Only the API document shows this: write `prose(…)`." });
    };
    return {
      Literal: requireProse,
      TemplateLiteral: requireProse,
      BinaryExpression: requireProse,
      CallExpression(node: CodeNode): void {
        if (isCallOf("prose", node) && !isOfTheDocument(node))
          context.report({
            node,
            message:
              "The Worker leaves `prose(…)` out: it is for `.describe(…)` and the texts of `endpoint({ … })`.",
          });
      },
    };
  },
};

const inLine = ({ line }: { line: number }): { loc: Location } => ({
  loc: { start: { line, column: 0 }, end: { line, column: 1 } },
});

const words = {
  create(context: RuleContext) {
    return {
      Program(): void {
        for (const problem of bannedWords(context.sourceCode.text))
          context.report({ ...inLine(problem), message: problem.message });
      },
    };
  },
};

const essayFirst = {
  create(context: RuleContext) {
    return {
      Program(): void {
        const problem = misplacedEssay(context.sourceCode.text);
        if (problem !== undefined) context.report({ ...inLine(problem), message: problem.message });
      },
    };
  },
};

// oxlint-disable-next-line import/no-default-export -- oxlint loads a plugin by its default export
export default {
  meta: { name: "house" },
  rules: { "essay-first": essayFirst, imports, "kept-promises": keptPromises, prose, words, zod },
};
