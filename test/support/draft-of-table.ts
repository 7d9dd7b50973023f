/** The draft that a hand-written table makes of Terraform's text, for types whose known facts a test gives. */
import { parse } from "yaml";
import type { ComponentDraft } from "#importers/draft/components.ts";
import { DocumentNames } from "#importers/draft/document-names.ts";
import { draftOf } from "#importers/draft/draft-builder.ts";
import { ComponentLibrary, componentScopes } from "#importers/draft/draft-components.ts";
import { type MappedType, mappedTypeOf } from "#importers/draft/types/mapped-type.ts";
import { VendorTypes } from "#importers/draft/types/vendor-types.ts";
import type { Draft } from "#importers/draft/values/draft.ts";
import { scopesOf } from "#importers/evaluate/scopes.ts";
import { terraformParser } from "#importers/hcl/terraform.ts";
import { ImportLog } from "#importers/import-log.ts";
import { ImportWork } from "#importers/import-work.ts";
import type { MappingTable } from "#importers/mappings/type-mapping.ts";
import type { ExistingIds } from "#importers/reports/existing-ids.ts";
import type { SourceResource } from "#importers/source-module.ts";
import { withoutSecrets } from "#importers/without-secrets.ts";
import type { JsonMap } from "#platform/json.ts";
import type { ObjectShape, TypeFacts } from "#providers/provider.ts";
import { parsedBy } from "./parsed-by.ts";

export interface ReadDraft {
  resources: Readonly<Record<string, { type: string; properties: JsonMap; options?: JsonMap }>>;
  config: Readonly<Record<string, JsonMap>>;
  outputs: JsonMap;
  /** The settings that the draft leaves out: the address, a space and the path. */
  gaps: readonly string[];
  draft: Draft;
  /** The drafts of modules that it uses as components. */
  components: readonly ComponentDraft[];
}

/** A wholly known type: its properties, and further outputs. */
export function knownType(shape: ObjectShape, more: Partial<TypeFacts> = {}): TypeFacts {
  return {
    immutable: [],
    writeOnly: [],
    required: shape.required ?? [],
    deleteBeforeReplace: false,
    properties: Object.fromEntries(
      Object.entries(shape.properties).map(([name, { type }]) => [
        name,
        { description: "", ...(type === undefined ? {} : { type }) },
      ]),
    ),
    shape,
    ...more,
  };
}

/** `files`: by path; the root is the folder `.`. `existing`: ids by address. */
export async function draftOfTable(
  table: MappingTable,
  types: Readonly<Record<string, TypeFacts>>,
  files: Readonly<Record<string, string>> | string,
  existing: ExistingIds = new Map(),
): Promise<ReadDraft> {
  const given = typeof files === "string" ? { "main.tf": files } : files;
  const log = new ImportLog();
  const parsed = parsedBy(
    terraformParser,
    Object.entries(given).map(([path, text]) => ({ path, text })),
    log,
  );
  const modules = withoutSecrets(parsed.modules);
  const tables = { tables: new Map([[table.provider, table]]), vendorTypes: new VendorTypes([]) };
  const mappedTypes = new Map<SourceResource, MappedType>();
  for (const { resources } of modules)
    for (const resource of resources) {
      const mapped = mappedTypeOf(resource, "terraform", tables);
      if (mapped !== undefined) mappedTypes.set(resource, mapped);
    }
  const main = modules.find(({ path }) => path === ".");
  if (main === undefined)
    throw new Error(`There is no root module: ${JSON.stringify(log.warnings())}`);
  const work = new ImportWork();
  const { root, all } = scopesOf(main, new Map(modules.map((one) => [one.path, one])), work);
  const catalogue = {
    facts: (type: string) => types[type],
    types: () => Object.keys(types),
    openProviders: new Set<string>(),
    unavailableProviders: new Set<string>(),
  };
  const adopt = existing.size > 0;
  const order = componentScopes(all, new Map(modules.map((one) => [one.path, one])), work);
  const names = new DocumentNames();
  const sources = { mappedTypes, catalogue, work };
  const library = new ComponentLibrary(names, 100);
  library.add(order, (one, name, components) =>
    draftOf(one.root, one.all, { ...sources, name, existing: new Map(), adopt: false, components }),
  );
  const components = library.usedIn(all);
  const name = names.take(main.path);
  const made = draftOf(root, all, { ...sources, name, existing, adopt, components });
  const { draft } = made;
  const read = (draft.source === null ? {} : parse(draft.source)) as Partial<ReadDraft>;
  return {
    resources: read.resources ?? {},
    config: read.config ?? {},
    outputs: read.outputs ?? {},
    gaps: draft.unsupported.map(({ address, path }) =>
      [address, path].filter((one) => one !== null).join(" "),
    ),
    draft,
    components: [...library.usedIn([...order.flatMap((one) => one.all), ...all]).values()],
  };
}
