/** Reads the blocks about objects that exist already, and those for which a draft has nothing. */
import type { Expression } from "#importers/expression.ts";
import { indexKey } from "#importers/reports/terraform-address.ts";
import type { LeftOutPart, SourceModule } from "#importers/source-module.ts";
import { type HclBlock, isFalse, memberIn, valueOf } from "./hcl-block.ts";

export function refactoringsOf(
  blocks: readonly HclBlock[],
): Pick<SourceModule, "imports" | "moves"> {
  const of = (type: string) => blocks.filter((block) => block.type === type);
  return {
    imports: of("import").flatMap((block) => {
      const { file, line } = block;
      const to = addressIn(valueOf(block, "to"));
      const isOne = valueOf(block, "for_each") === undefined;
      return to === undefined
        ? []
        : [{ to, id: isOne ? valueOf(block, "id") : undefined, file, line }];
    }),
    moves: of("moved").flatMap((block) => {
      const { file, line } = block;
      const [from, to] = [valueOf(block, "from"), valueOf(block, "to")].map(addressIn);
      return from === undefined || to === undefined ? [] : [{ from, to, file, line }];
    }),
  };
}

/** The address that a reference to a resource or a module call means, with the keys of instances. */
function addressIn(of: Expression | undefined): string | undefined {
  if (of?.kind === "call" && of.name === "[]") {
    const [first, ...keys] = of.args;
    // A computed key: of `to = aws_x.y[each.key]`, the resource.
    return keys.length === 1 ? addressIn(first) : undefined;
  }
  if (of?.kind !== "reference") return undefined;
  const { target, path } = of;
  if (target.kind === "resource") return target.address + path.map(indexKey).join("");
  if (target.kind !== "module") return undefined;
  let address = `module.${target.name}`;
  for (let at = 0; at < path.length; at += 1) {
    const [step = "", next] = path.slice(at);
    // A key stands behind the name of a call or a resource, and a name is followed by another one.
    const isName =
      typeof step === "string" &&
      typeof next === "string" &&
      /^(?:module|[a-z0-9]+_.*)$/.test(step);
    if (isName) {
      address += `.${step}.${next}`;
      at += 1;
    } else address += indexKey(step);
  }
  return address;
}

export function leftOutBlocks(blocks: readonly HclBlock[]): LeftOutPart[] {
  return blocks.flatMap((block) => {
    const { type, labels, file, line } = block;
    const named = [type, ...labels].join(".");
    const at = { file, line, path: null };
    switch (type) {
      case "check":
        return [{ ...at, address: named, reason: "A draft does not check objects by assertions." }];
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

const ephemeral =
  "A draft makes no values that only a run knows: the draft asks for them where something reads them.";
const forgotten =
  "Terraform forgets the object and keeps it. The draft does not have it, so nothing happens to it.";
const deleted =
  "Terraform deletes the object. The draft does not have it, and does not delete what it never made.";
