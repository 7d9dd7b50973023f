/** Reads the blocks about objects that exist already, and those for which a draft has nothing. */
import { addressIn } from "#importers/reports/terraform-address.ts";
import type { LeftOutPart, SourceModule } from "#importers/source-module.ts";
import { type HclBlock, isFalse, memberIn, valueOf } from "./hcl-block.ts";
import { checksOf } from "./resource-options.ts";

export function refactoringsOf(
  blocks: readonly HclBlock[],
): Pick<SourceModule, "imports" | "moves"> {
  const of = (type: string) => blocks.filter((block) => block.type === type);
  return {
    imports: of("import").flatMap((block) => {
      const { file, line } = block;
      const to = valueOf(block, "to");
      const [id, forEach] = [valueOf(block, "id"), valueOf(block, "for_each")];
      return to === undefined ? [] : [{ to, id, forEach, file, line }];
    }),
    moves: of("moved").flatMap((block) => {
      const { file, line } = block;
      const [from, to] = [valueOf(block, "from"), valueOf(block, "to")].map((of) => addressIn(of));
      return from === undefined || to === undefined ? [] : [{ from, to, file, line }];
    }),
  };
}

export function leftOutBlocks(blocks: readonly HclBlock[]): LeftOutPart[] {
  return blocks.flatMap((block): LeftOutPart[] => {
    const { type, labels, file, line } = block;
    const named = [type, ...labels].join(".");
    const at = { file, line, path: null };
    switch (type) {
      case "check":
        return [{ ...at, address: named, reason: "A draft does not check objects by assertions." }];
      case "data":
      case "output":
        return checksOf(block).map(({ name, line: at, reason }) => ({
          file,
          line: at,
          path: name,
          address: named,
          reason,
        }));
      case "provider":
        return forAllResources.flatMap(([name, reason]) => {
          const member = block.members.get(name);
          return member === undefined
            ? []
            : [{ file, line: member.line, path: name, address: named, reason }];
        });
      case "ephemeral":
        return [{ ...at, address: named, reason: ephemeral }];
      case "removed": {
        const from = addressIn(valueOf(block, "from"));
        const isKept = isFalse(memberIn(valueOf(block, "lifecycle"), "destroy"));
        return [
          {
            ...at,
            address: from === undefined ? named : `${named} ${from}`,
            reason: isKept ? forgotten : deleted,
          },
        ];
      }
      default:
        return [];
    }
  });
}

/** Arguments of a provider that change its resources. The others belong to the target. */
const forAllResources: readonly (readonly [name: string, reason: string])[] = [
  ["default_tags", "A draft has no tags for all resources: add them to the tags of each."],
  ["default_labels", "A draft has no labels for all resources: add them to the labels of each."],
  ["ignore_tags", "A draft ignores no tags of all resources: use `ignoreChanges` of each."],
];
const ephemeral =
  "A draft makes no values that only a run knows: the draft asks for them where something reads them.";
const forgotten =
  "Terraform forgets the object and keeps it. The draft does not have it, so nothing happens to it.";
const deleted =
  "Terraform deletes the object. The draft does not have it, and does not delete what it never made.";
