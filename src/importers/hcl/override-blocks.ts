import type { Expression, Member } from "#importers/expression.ts";
import type { ImportLog } from "#importers/import-log.ts";
import { type HclBlock, textValue, valueOf } from "./hcl-block.ts";

/** The target of an override: a block, or a local value. */
interface Base {
  members: Map<string, Member>;
  block: HclBlock;
}

/** Arguments whose members an override merges. */
const mergedObjects = new Set(["lifecycle", "required_providers"]);

/**
 * Merges the blocks of override files over those of a module, by
 * https://developer.hashicorp.com/terraform/language/files/override. Arguments, and all nested blocks of a type,
 * replace those of the base. Returns the module's blocks with those that an override may add.
 */
export function withOverrides(
  blocks: readonly HclBlock[],
  overrides: readonly HclBlock[],
  log: ImportLog,
): readonly HclBlock[] {
  if (overrides.length === 0) return blocks;
  const bases = new Map<string, Base>();
  for (const block of blocks)
    for (const key of keysOf(block))
      if (!bases.has(key)) bases.set(key, { members: block.members, block });
  const added: HclBlock[] = [];
  for (const override of overrides)
    if (override.type === "locals") overrideLocals(override, bases, log);
    else if (!overrideBlock(override, bases)) {
      if (mayBeAdded(override)) added.push(override);
      else warnOfNoBase(override, log);
    }
  return [...blocks, ...added];
}

function keysOf(block: HclBlock): string[] {
  const { type, labels, members } = block;
  if (type === "locals") return [...members.keys()].map((name) => JSON.stringify([type, name]));
  const alias = type === "provider" ? textValue(valueOf(block, "alias")) : null;
  return [JSON.stringify([type, ...labels, alias])];
}

function overrideBlock(override: HclBlock, bases: ReadonlyMap<string, Base>): boolean {
  const base = keysOf(override)
    .map((key) => bases.get(key))
    .find((found) => found !== undefined);
  if (base === undefined) return false;
  for (const [name, member] of override.members) {
    const before = base.members.get(name);
    const isMerged = before !== undefined && mergedObjects.has(name);
    const value = isMerged ? merged(before.value, member.value) : member.value;
    base.members.set(name, { ...member, value });
  }
  if (override.typeText !== null) base.block.typeText = override.typeText;
  return true;
}

function overrideLocals(
  override: HclBlock,
  bases: ReadonlyMap<string, Base>,
  log: ImportLog,
): void {
  for (const [name, member] of override.members) {
    const base = bases.get(JSON.stringify(["locals", name]));
    if (base === undefined) warnOfNoBase({ ...override, labels: [name], line: member.line }, log);
    else base.members.set(name, member);
  }
}

function merged(before: Expression, after: Expression): Expression {
  if (before.kind !== "object" || after.kind !== "object") return after;
  const members = new Map(before.members.map((member) => [member.name, member]));
  for (const member of after.members) members.set(member.name, member);
  return { kind: "object", members: [...members.values()] };
}

/**
 * Whether an override may add this block. Terraform permits settings of the module, and the configuration of a provider
 * without one.
 */
function mayBeAdded(block: HclBlock): boolean {
  return (
    block.type === "terraform" ||
    (block.type === "provider" && valueOf(block, "alias") === undefined)
  );
}

function warnOfNoBase({ type, labels, file, line }: HclBlock, log: ImportLog): void {
  const name = [type, ...labels.map((label) => `"${label.slice(0, 80)}"`)].join(" ");
  const message = `There is no ${name} that this could override; it was left out.`;
  log.add("warning", "override_without_base", message, { file, line });
}
