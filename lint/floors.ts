/**
 * The layers ("floors") of `src`: which files belong to each, and what they may import besides files in the same folder
 * (`./x.ts`). See docs/decisions/0009-architecture-by-lint.md; `house/imports` and structure.test.ts enforce it.
 */

export interface ImportNode {
  source: { value: string };
  specifiers?: { type: string }[];
  importKind?: string;
  exportKind?: string;
}

interface Floor {
  /** The files of the floor, by path relative to the project. The first matching floor counts. */
  files: RegExp;
  /** Allowed imports besides files in the same folder. */
  may: readonly RegExp[];
  /** Additional allowed type-only imports. */
  mayAsType?: readonly RegExp[];
  why: string;
}

const libraries = /^[@a-z]/;
const pureLibraries = /^(@noble\/hashes|@cfworker\/json-schema|yaml|uuid|semver)(\/|$)/;
const parsers = /^(yaml|jsonc-parser)(\/|$)/;
const testsOnly = /^(vitest|fast-check|node:|#test\/|cloudflare:test)/;

/** The port and the modules that all providers share, except `registry.ts`, which imports the providers. */
const sharedByProviders =
  /^#providers\/(provider|transport|polling|type-name|redact-secrets|message-limits|credential-ref|token-audience)\.ts$/;
const providerFolders = /^#providers\/(rest|auth|buckets|catalogue)\//;
/** Closed lists without a table, which do not import drizzle. */
const closedLists = /^#schema\/lists\//;

/** Every file of `src` belongs to one floor. */
export const floors: readonly Floor[] = [
  {
    files: /^src\/.*\.test\.tsx?$/,
    may: [libraries, /^#/],
    why: "A test may import anything, but not with `../`.",
  },
  {
    files: /^src\/(worker|app|queues|schedules)\.ts$/,
    may: [libraries, /^#/],
    why: "The entry may import anything.",
  },
  {
    files: /^src\/platform\//,
    may: [/^(drizzle-orm|oslo|uuid)(\/|$)/, /^#platform\//],
    why: "platform is independent of the product and imports nothing of it.",
  },
  {
    files: /^src\/schema\//,
    may: [
      /^drizzle-orm(\/|$)/,
      /^#platform\/(ids|json)\.ts$/,
      /^#schema\/lists\//,
      /^#migrations\/meta\/_journal\.json$/,
    ],
    mayAsType: [/^#platform\/trace\.ts$/],
    why: "schema contains tables and closed lists: it may import drizzle, the journal of migrations, and platform's ids and json.",
  },
  {
    files: /^src\/kernel\//,
    may: [/^(drizzle-orm|oslo|jose|cloudflare:workers)(\/|$)/, /^#(kernel|schema|platform)\//],
    why: "kernel may import schema and platform.",
  },
  {
    files: /^src\/http\//,
    may: [/^(hono|@hono\/|zod|drizzle-orm|oslo)(\/|$)?/, /^#(http|kernel|schema|platform)\//],
    why: "http may import kernel, schema and platform.",
  },
  {
    files: /^src\/engine\//,
    may: [
      pureLibraries,
      /^#engine\//,
      closedLists,
      /^#platform\/(json|json-nesting|mask|property-path|crypto\/digest|text\/[a-z-]+)\.ts$/,
      /^#providers\/type-name\.ts$/,
    ],
    mayAsType: [/^#providers\/provider\.ts$/, /^#schema\//],
    why: "engine is pure: it may import types of the provider port, closed lists and pure libraries, and does no I/O.",
  },
  {
    files: /^src\/importers\//,
    may: [
      pureLibraries,
      parsers,
      /^#importers\//,
      /^#engine\//,
      /^#providers\/(catalogue\/|type-name\.ts$)/,
      /^#platform\/(json|json-nesting|property-path|crypto\/digest|text\/[a-z-]+)\.ts$/,
      /^#schema\/lists\//,
    ],
    mayAsType: [/^#providers\/provider\.ts$/],
    why: "importers are pure: they may import parsers, the engine and the providers' catalogue.",
  },
  {
    files: /^src\/providers\/registry\.ts$/,
    may: [
      sharedByProviders,
      /^#schema\/lists\/provider-names\.ts$/,
      /^#providers\/[a-z]+\/(types|[a-z]+-provider)\.ts$/,
    ],
    why: "The registry may import the port, the providers and their type tables, all of which make what they need on first use.",
  },
  {
    files: /^src\/providers\/catalogue\//,
    may: [
      sharedByProviders,
      providerFolders,
      /^#providers\/registry\.ts$/,
      /^#schema\/lists\/provider-names\.ts$/,
      /^#platform\/json\.ts$/,
    ],
    why: "The catalogue may import the port and the registry.",
  },
  {
    files: /^src\/providers\/(rest|auth|buckets)\//,
    may: [
      /^(zod|aws4fetch|jose|rfc6902|uuid|@noble\/hashes)(\/|$)/,
      sharedByProviders,
      providerFolders,
      /^#schema\/lists\/provider-names\.ts$/,
      /^#platform\/(json|log|at-path|property-path|merge-patch|crypto\/[a-z0-9-]+|text\/[a-z-]+)\.ts$/,
    ],
    why: "Code shared by providers may import the port, names, paths, patches and platform's crypto, but no provider.",
  },
  {
    files: /^src\/providers\/[a-z-]+\//,
    may: [
      /^(zod|aws4fetch|jose|cloudflare:workers)(\/|$)/,
      sharedByProviders,
      providerFolders,
      /^#schema\/lists\/provider-names\.ts$/,
      /^#platform\/(json|log|at-path|property-path|merge-patch|crypto\/[a-z0-9-]+)\.ts$/,
    ],
    why: "A provider may import its own folder, the port, transport, rest, auth and the catalogue.",
  },
  {
    files: /^src\/providers\//,
    may: [
      /^zod$/,
      /^#schema\/lists\/provider-names\.ts$/,
      /^#platform\/(json|json-nesting|log)\.ts$/,
    ],
    why: "The port imports no provider.",
  },
  {
    files: /^src\/orchestrator\//,
    may: [
      /^(zod|drizzle-orm|cloudflare:workers)(\/|$)/,
      /^#(orchestrator|engine|kernel|schema|platform)\//,
      sharedByProviders,
      /^#providers\/(registry\.ts|auth\/|catalogue\/)/,
    ],
    why: "orchestrator may import the engine, the provider port, the catalogue and the kernel, but no provider and no area.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?contract\.tsx?$/,
    may: [
      /^zod$/,
      /^#schema\//,
      /^#platform\/(ids|json|prose|timestamp)\.ts$/,
      /^#kernel\/(access|outbox)\//,
      /^#http\/(endpoint|schemas|body|labels|lists\/(page|list-query))\.ts$/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#engine\//,
    ],
    why: "A contract contains only zod schemas and constants.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?routes\.tsx?$/,
    may: [
      /^(hono|@hono\/|zod|oslo)/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#orchestrator\/client\//,
      /^#(http|kernel|schema|platform|engine)\//,
    ],
    why: "Routes handle HTTP: only use cases and stores read or write rows.",
  },
  {
    files: /^src\/console\/browser\//,
    may: [
      /^(codemirror|@codemirror\/[a-z-]+|@lezer\/highlight|@dagrejs\/dagre)$/,
      /^#console\/(browser|shared)\//,
      closedLists,
    ],
    why: "A script of a page may import other scripts, the console's shared names and words, closed lists and its libraries.",
  },
  {
    files: /^src\/console\/shared\//,
    may: [closedLists],
    why: "Pages and their scripts share names and words: pure modules that import closed lists.",
  },
  {
    files: /^src\/console\//,
    may: [
      /^hono\/(html|jsx)(\/|$)/,
      /^#console\/(?!browser\/)/,
      /^#areas\/[a-z-]+\/(?:[a-z0-9-]+-)?contract\.ts$/,
      /^#http\/(pages\/|api-prefix\.ts$)/,
      /^#kernel\/access\/access\.ts$/,
      /^#schema\/((instances|cloud-targets|imports|incidents|webhooks)\.ts$|lists\/)/,
      /^#platform\/(json|mask|text\/first-names)\.ts$/,
    ],
    mayAsType: [/^zod$/, /^#http\/endpoint\.ts$/],
    why: "The console shows what the API answers: it may import contracts and page templates, and no use case or script.",
  },
  {
    files: /^src\/areas\//,
    may: [
      /^(zod|drizzle-orm|yaml|oslo|jose|oauth4webapi|croner)(\/|$)/,
      /^hono\/(html|jsx)(\/|$)/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#orchestrator\/client\//,
      /^#importers\//,
      /^#providers\/(registry|provider|credential-ref|token-audience|type-name)\.ts$/,
      /^#providers\/catalogue\//,
      /^#(engine|http|kernel|schema|platform)\//,
      /^#package\.json$/,
    ],
    why: "An area may import another area only by its public.ts, the orchestrator by its client, and the providers by port, registry and catalogue.",
  },
];

const onlyIn: readonly { what: RegExp; files: RegExp; why: string }[] = [
  {
    what: /^(hono|@hono\/)(?!.*\/(html|jsx))/,
    files: /^src\/(http\/|app\.ts|areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?routes\.tsx?$)/,
    why: "Only routes may import hono.",
  },
  {
    what: /^#areas\/webhooks\//,
    files: /^src\/(app|queues|schedules|areas\/webhooks\/.*|console\/webhooks\/.*)(\.tsx?)?$/,
    why: "Nothing but its pages imports webhooks: it reads the outbox.",
  },
  {
    what: testsOnly,
    files: /^(test|lint|scripts|bench)\/|\.test\.tsx?$|\.config\.ts$/,
    why: "Only tests and scripts may import this.",
  },
];

/** The floor of a file of `src`; undefined is an error in the table. */
export function floorOf(file: string): Floor | undefined {
  return floors.find(({ files }) => files.test(file));
}

/** Why a file (path relative to the project) must not have this import; undefined when it may. */
export function problemWith(file: string, node: ImportNode): string | undefined {
  const from = node.source.value;
  const [, folder, area] =
    /^src\/((?:(?:areas\/([a-z-]+)\/)?(?:[a-z-]+\/)*))[^/]+$/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  if (from.startsWith("../")) return "Do not use `../`: write the `#` path.";
  if (/^\.\/[^/]+$/.test(from)) return undefined;
  if (folder !== "" && from.startsWith(`#${folder}`))
    return "Import a file of the same folder as `./x.ts`.";
  // A subfolder is checked like any other folder.
  const path = from.startsWith("./") ? `#${folder}${from.slice(2)}` : from;
  if (area !== undefined && path.startsWith(`#areas/${area}/`)) return undefined;
  const bad = onlyIn.find(({ what, files }) => what.test(path) && !files.test(file));
  if (bad !== undefined) return bad.why;
  const floor = floorOf(file);
  if (floor === undefined) return `No floor in lint/floors.ts matches ${file}.`;
  const isType = node.importKind === "type" || node.exportKind === "type";
  const may = isType ? [...floor.may, ...(floor.mayAsType ?? [])] : floor.may;
  return may.some((pattern) => pattern.test(path)) ? undefined : `${from}: ${floor.why}`;
}
