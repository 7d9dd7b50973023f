import type { Expression, ObjectExpression } from "#importers/expression.ts";
import type { Place } from "#importers/import-file.ts";
import type { SourceProvider, SourceProviderAlias } from "#importers/source-module.ts";
import { each, type HclBlock, memberIn, textValue, valueOf } from "./hcl-block.ts";
import { settingsOf } from "./read-resource.ts";

const ownArguments = new Set(["alias", "version"]);

interface Found extends Place {
  source: string | null;
  constraints: Set<string>;
  aliases: SourceProviderAlias[];
  settings: ObjectExpression | null;
}

/** The providers that a module requires or configures, each once. */
export function readProviders(blocks: readonly HclBlock[]): SourceProvider[] {
  const found = new Map<string, Found>();
  const named = (name: string, { file, line }: Place): Found => {
    const before = found.get(name);
    if (before !== undefined) return before;
    const made: Found = {
      file,
      line,
      source: null,
      constraints: new Set(),
      aliases: [],
      settings: null,
    };
    found.set(name, made);
    return made;
  };
  for (const block of blocks) {
    const [name] = block.labels;
    if (block.type === "terraform")
      for (const required of each(valueOf(block, "required_providers")))
        addRequired(required, block.file, named);
    else if (block.type === "provider" && name !== undefined)
      addConfigured(block, named(name, block));
  }
  return [...found].map(([name, provider]) => ({
    name,
    ...provider,
    constraints: [...provider.constraints],
  }));
}

function addRequired(
  required: Expression,
  file: string,
  named: (name: string, place: Place) => Found,
): void {
  if (required.kind !== "object") return;
  for (const { name, value, line } of required.members) {
    const provider = named(name, { file, line });
    provider.source ??= textValue(memberIn(value, "source"));
    // Before Terraform 0.13 the value was the version itself.
    addConstraint(provider, textValue(memberIn(value, "version")) ?? textValue(value));
  }
}

function addConfigured(block: HclBlock, provider: Found): void {
  const settings = settingsOf(block, ownArguments);
  const alias = textValue(valueOf(block, "alias"));
  addConstraint(provider, textValue(valueOf(block, "version")));
  if (alias === null) provider.settings ??= settings;
  else provider.aliases.push({ name: alias, settings, file: block.file, line: block.line });
}

function addConstraint(provider: Found, constraint: string | null): void {
  if (constraint !== null) provider.constraints.add(constraint);
}
