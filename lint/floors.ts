/**
 * The floors of the house: which files there are, and what each may import beside its neighbours (`./x.ts`).
 * docs/decisions/0009-architecture-by-lint.md says why; `house/imports` and structure.test.ts hold it.
 */

export interface ImportNode {
  source: { value: string };
  specifiers?: { type: string }[];
  importKind?: string;
  exportKind?: string;
}

interface Floor {
  /** Files the row is about, by path below the project. The first row that fits counts. */
  files: RegExp;
  /** What they may import, beside neighbours. */
  may: readonly RegExp[];
  /** What they may import as a type alone. */
  mayAsType?: readonly RegExp[];
  why: string;
}

const libraries = /^[@a-z]/;
const pureLibraries = /^(@noble\/hashes|@cfworker\/json-schema|yaml|uuid)(\/|$)/;
const parsers =
  /^(yaml|csv-parse|papaparse|hcl2-parser|hcl2-json-parser|jsonc-parser|fast-xml-parser)(\/|$)/;
const testsOnly = /^(vitest|fast-check|node:|#test\/|cloudflare:test)/;

/** The port and what every provider shares, but for `registry.ts`, which knows the clouds. */
const sharedByProviders =
  /^#providers\/(provider|transport|polling|type-name|redact-secrets|credential-ref)\.ts$/;
const providerTrunks = /^#providers\/(rest|auth|catalogue)\//;
/** Lists without a table: they load no drizzle. */
const closedLists = /^#schema\/(deployment-states|event-kinds|plans|provider-names|roles)\.ts$/;

/** Every file of `src` is of one row. */
export const floors: readonly Floor[] = [
  {
    files: /^src\/.*\.test\.tsx?$/,
    may: [libraries, /^#/],
    why: "A test beside its source may import what it likes but by `../`.",
  },
  {
    files: /^src\/(worker|app|queues|schedules)\.ts$/,
    may: [libraries, /^#/],
    why: "The entry knows all.",
  },
  {
    files: /^src\/platform\//,
    may: [/^(drizzle-orm|oslo|uuid)(\/|$)/, /^#platform\//],
    why: "platform would fit any Worker: it imports nothing of the product.",
  },
  {
    files: /^src\/schema\//,
    may: [/^drizzle-orm(\/|$)/, /^#platform\/(ids|json)\.ts$/],
    mayAsType: [/^#platform\/trace\.ts$/],
    why: "schema is tables and closed lists: drizzle, and platform's ids and json.",
  },
  {
    files: /^src\/kernel\//,
    may: [/^(drizzle-orm|oslo|cloudflare:workers)(\/|$)/, /^#(kernel|schema|platform)\//],
    why: "The kernel knows schema and platform.",
  },
  {
    files: /^src\/http\//,
    may: [/^(hono|@hono\/|zod|drizzle-orm|oslo)(\/|$)?/, /^#(http|kernel|schema|platform)\//],
    why: "http knows the kernel, schema and platform.",
  },
  {
    files: /^src\/engine\//,
    may: [
      pureLibraries,
      /^#engine\//,
      closedLists,
      /^#platform\/(json|crypto\/digest)\.ts$/,
      /^#providers\/type-name\.ts$/,
    ],
    mayAsType: [/^#providers\/provider\.ts$/, /^#schema\//],
    why: "engine is pure: types of the provider port, closed lists and pure libraries, no I/O.",
  },
  {
    files: /^src\/importers\//,
    may: [pureLibraries, parsers, /^#importers\//, /^#engine\//, /^#providers\/catalogue\//],
    why: "importers are pure: parsers, the engine, the providers' catalogue.",
  },
  {
    files: /^src\/providers\/registry\.ts$/,
    may: [sharedByProviders, /^#schema\/provider-names\.ts$/, /^#providers\/[a-z]+\/types\.ts$/],
    why: "The registry knows the port and the clouds' tables of types; it loads a cloud when asked.",
  },
  {
    files: /^src\/providers\/catalogue\//,
    may: [sharedByProviders, providerTrunks, /^#providers\/registry\.ts$/, /^#platform\/json\.ts$/],
    why: "The catalogue knows the port and the registry.",
  },
  {
    files: /^src\/providers\/(rest|auth)\//,
    may: [
      /^(zod|aws4fetch|jose)(\/|$)/,
      sharedByProviders,
      providerTrunks,
      /^#schema\/provider-names\.ts$/,
      /^#platform\/(json|log|crypto\/[a-z0-9-]+)\.ts$/,
    ],
    why: "What clouds share knows the port and platform's crypto, and no cloud.",
  },
  {
    files: /^src\/providers\/[a-z-]+\//,
    may: [
      /^(zod|aws4fetch|jose|cloudflare:workers)(\/|$)/,
      sharedByProviders,
      providerTrunks,
      /^#schema\/provider-names\.ts$/,
      /^#platform\/(json|log|crypto\/[a-z0-9-]+)\.ts$/,
    ],
    why: "A cloud knows its own folder, the port, transport, rest, auth and the catalogue.",
  },
  {
    files: /^src\/providers\//,
    may: [/^zod$/, /^#schema\/provider-names\.ts$/, /^#platform\/(json|log)\.ts$/],
    why: "The port knows no cloud.",
  },
  {
    files: /^src\/orchestrator\//,
    may: [
      /^(zod|drizzle-orm|cloudflare:workers)(\/|$)/,
      /^#(orchestrator|engine|kernel|schema|platform)\//,
      sharedByProviders,
      /^#providers\/(registry\.ts|auth\/)/,
    ],
    why: "The orchestrator knows the engine, the provider port and the kernel; no cloud and no area.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?contract\.tsx?$/,
    may: [
      /^zod$/,
      /^#schema\//,
      /^#platform\/(ids|json|timestamp)\.ts$/,
      /^#kernel\/(access|outbox)\//,
      /^#http\/(endpoint|page|schemas|body)\.ts$/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#engine\//,
    ],
    why: "A contract is zod and constants.",
  },
  {
    files: /^src\/areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?routes\.tsx?$/,
    may: [
      /^(hono|@hono\/|zod|oslo)/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#orchestrator\/client\//,
      /^#(http|kernel|schema|platform|engine)\//,
    ],
    why: "Routes speak HTTP: what reads or writes rows is a use case.",
  },
  {
    files: /^src\/areas\//,
    may: [
      /^(zod|drizzle-orm|yaml|oslo|jose|oauth4webapi|croner)(\/|$)/,
      /^hono\/(html|jsx)(\/|$)/,
      /^#areas\/[a-z-]+\/public\.ts$/,
      /^#orchestrator\/client\//,
      /^#importers\//,
      /^#providers\/(registry|provider|credential-ref|type-name)\.ts$/,
      /^#providers\/catalogue\//,
      /^#(engine|http|kernel|schema|platform)\//,
    ],
    why: "An area knows another by its public.ts, the orchestrator by its client, the providers by port, registry and catalogue.",
  },
];

const onlyIn: readonly { what: RegExp; files: RegExp; why: string }[] = [
  {
    what: /^(hono|@hono\/)(?!.*\/(html|jsx))/,
    files: /^src\/(http\/|app\.ts|areas\/[a-z-]+\/(?:[a-z-]+\/)*(?:[a-z0-9-]+-)?routes\.tsx?$)/,
    why: "Routes alone speak HTTP.",
  },
  {
    what: /^#areas\/webhooks\//,
    files: /^src\/(app|queues|schedules|areas\/webhooks\/.*)(\.tsx?)?$/,
    why: "Nobody imports webhooks: it reads the outbox.",
  },
  {
    what: testsOnly,
    files: /^(test|lint|scripts|bench)\/|\.test\.tsx?$|\.config\.ts$/,
    why: "For tests and scripts.",
  },
];

/** The floor of a file of `src`; undefined: there is none, and there should be. */
export function floorOf(file: string): Floor | undefined {
  return floors.find(({ files }) => files.test(file));
}

/** What is wrong with an import in a file (path below the project); undefined when nothing is. */
export function problemWith(file: string, node: ImportNode): string | undefined {
  const from = node.source.value;
  const [, folder, area] =
    /^src\/((?:(?:areas\/([a-z-]+)\/)?(?:[a-z-]+\/)*))[^/]+$/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  if (from.startsWith("../")) return "`../` is not used here: write the `#` path.";
  if (/^\.\/[^/]+$/.test(from)) return undefined;
  if (folder !== "" && from.startsWith(`#${folder}`)) return "A neighbour is imported as `./x.ts`.";
  // A room within this folder is asked about like any other.
  const path = from.startsWith("./") ? `#${folder}${from.slice(2)}` : from;
  if (area !== undefined && path.startsWith(`#areas/${area}/`)) return undefined;
  const bad = onlyIn.find(({ what, files }) => what.test(path) && !files.test(file));
  if (bad !== undefined) return bad.why;
  const floor = floorOf(file);
  if (floor === undefined) return `There is no floor for ${file} in lint/floors.ts.`;
  const isType = node.importKind === "type" || node.exportKind === "type";
  const may = isType ? [...floor.may, ...(floor.mayAsType ?? [])] : floor.may;
  return may.some((pattern) => pattern.test(path)) ? undefined : `${from}: ${floor.why}`;
}
