/**
 * Lint rules of this house, for oxlint. `house/imports` holds the architecture: who may import whom, by folder.
 * `house/zod` keeps the bundle small. `house/kept-promises` keeps promises out of what an isolate remembers.
 */

interface ImportNode {
  source: { value: string };
  specifiers?: { type: string }[];
  importKind?: string;
  exportKind?: string;
}

interface RuleContext {
  filename: string;
  report: (problem: { node: object; message: string }) => void;
}

interface Row {
  /** Files the row is about, by path below the project. The first row that fits counts. */
  files: RegExp;
  /** What they may import, beside neighbours (`./x.ts`). */
  may: readonly RegExp[];
  /** What they may import as a type alone. */
  mayAsType?: readonly RegExp[];
  why: string;
}

const libraries = /^[@a-z]/;
const pureLibraries = /^(@noble\/hashes|@cfworker\/json-schema|yaml|uuid)(\/|$)/;
const testsOnly = /^(vitest|fast-check|node:|#test\/|cloudflare:)/;

const rows: readonly Row[] = [
  {
    files: /^src\/.*\.test\.ts$/,
    may: [libraries, /^#/],
    why: "A test beside its source may import what it likes but by `../`.",
  },
  {
    files: /^src\/(worker|app|queues|schedules)\.ts$/,
    may: [libraries, /^#/],
    why: "The entry knows all.",
  },
  {
    files: /^src\/platform\/quota-counter\.ts$/,
    may: [/^cloudflare:workers$/, /^#platform\//],
    why: "Platform's one Durable Object knows nothing of the product.",
  },
  {
    files: /^src\/platform\//,
    may: [/^(hono|@hono\/|zod|drizzle-orm|oslo|uuid)/, /^#platform\//],
    why: "platform knows nothing of the product.",
  },
  {
    files: /^src\/engine\//,
    may: [
      pureLibraries,
      /^#engine\//,
      /^#platform\/(json|crypto\/digest)\.ts$/,
      /^#providers\/type-name\.ts$/,
    ],
    mayAsType: [/^#providers\/provider\.ts$/],
    why: "engine is pure: types of the provider port and platform's pure parts, no I/O.",
  },
  {
    files: /^src\/providers\//,
    may: [
      /^(zod|aws4fetch|jose|cloudflare:workers)(\/|$)/,
      /^#providers\//,
      /^#platform\/(json|log|crypto\/[a-z-]+)\.ts$/,
    ],
    why: "A provider knows the port, the shared engine, the transport and platform's crypto.",
  },
  {
    files: /^src\/orchestrator\//,
    may: [
      /^(zod|drizzle-orm|cloudflare:workers)(\/|$)/,
      /^#(orchestrator|engine|providers|platform)\//,
      /^#areas\/[a-z-]+\/tables\.ts$/,
    ],
    why: "The orchestrator asks no area for anything: it knows their tables alone.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/contract\.ts$/,
    may: [
      /^zod$/,
      /^#platform\/(access|outbox|ids|json|plans)\.ts$/,
      /^#platform\/http\/(endpoint|page|schemas|body)\.ts$/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#providers\/provider\.ts$/,
      /^#engine\//,
    ],
    why: "A contract is zod and constants.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/tables\.ts$/,
    may: [
      /^drizzle-orm/,
      /^#areas\/[a-z-]+\/tables\.ts$/,
      /^#platform\/(json|ids|db\/tables)\.ts$/,
    ],
    mayAsType: [/^#(engine|providers|platform)\//],
    why: "Tables are drizzle, and other tables for foreign keys.",
  },
  {
    files: /^src\/areas\//,
    may: [
      /^(zod|drizzle-orm|yaml|oslo|jose|oauth4webapi|croner)(\/|$)/,
      /^#areas\/[a-z-]+\/(public|tables)\.ts$/,
      /^#orchestrator\/public\.ts$/,
      /^#providers\/(registry|provider|credential-ref|type-name|catalogue\/catalogue)\.ts$/,
      /^#(engine|platform)\//,
    ],
    why: "An area knows another by its public.ts and tables.ts, the orchestrator by its public.ts.",
  },
];

const onlyIn: readonly { what: RegExp; files: RegExp; why: string }[] = [
  {
    what: /^(hono|@hono\/)/,
    files: /^(src\/platform\/http\/|src\/app\.ts|src\/areas\/[a-z-]+\/routes\.ts)/,
    why: "Routes alone speak HTTP.",
  },
  {
    what: /^#areas\/webhooks\//,
    files: /^src\/(app|queues|schedules|areas\/webhooks\/.*)(\.ts)?$/,
    why: "Nobody imports webhooks: it reads the outbox.",
  },
  {
    what: testsOnly,
    files:
      /^(test|lint|scripts|bench)\/|\.test\.ts$|\.config\.ts$|^src\/(orchestrator|providers)\/.*$/,
    why: "For tests and scripts.",
  },
];

/** What is wrong with an import in a file (path below the project); undefined when nothing is. */
export function problemWith(file: string, node: ImportNode): string | undefined {
  const from = node.source.value;
  if (!file.startsWith("src/")) return undefined;
  if (from.startsWith("../")) return "`../` is not used here: write the `#` path.";
  if (from.startsWith("./")) return undefined;
  const bad = onlyIn.find(({ what, files }) => what.test(from) && !files.test(file));
  if (bad !== undefined && !/^cloudflare:workers$/.test(from)) return bad.why;
  const row = rows.find(({ files }) => files.test(file));
  if (row === undefined) return undefined;
  const isType = node.importKind === "type" || node.exportKind === "type";
  const own = /^src\/areas\/([a-z-]+)\//.exec(file)?.[1];
  if (own !== undefined && from.startsWith(`#areas/${own}/`))
    return "A neighbour is imported as `./x.ts`.";
  const may = isType ? [...row.may, ...(row.mayAsType ?? [])] : row.may;
  return may.some((pattern) => pattern.test(from)) ? undefined : `${from}: ${row.why}`;
}

/** Below the project. */
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

/** Whether a value written like this holds a promise by its own type: what a function in it returns does not count. */
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
    if (!file.startsWith("src/") || file.endsWith(".test.ts")) return {};
    const check = (node: SyntaxNode): void => {
      if (holdsPromise(node))
        context.report({
          node,
          message:
            "A promise that outlives its request never settles when that ends first, and all who wait for it hang. Keep the value: `once` of src/platform/once.ts.",
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

// oxlint-disable-next-line import/no-default-export -- oxlint loads a plugin by its default export
export default { meta: { name: "house" }, rules: { imports, "kept-promises": keptPromises, zod } };
