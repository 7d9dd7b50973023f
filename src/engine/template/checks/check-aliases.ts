import { partsOf } from "#engine/template/expressions-in.ts";
import { partsOfAddress } from "#engine/template/levels/address.ts";
import { writeOut } from "#engine/template/levels/write-out.ts";
import { own } from "#engine/template/own.ts";
import { quoted, type Report } from "#engine/template/report.ts";
import { ResolveError } from "#engine/template/resolve-error.ts";
import type { CheckedLevels } from "#engine/template/resolve.ts";

/** Warns of aliases without effect, and of aliases that give away the object of another resource. */
export function checkAliases({ root, layout }: CheckedLevels, report: Report): void {
  const parts = partsOf(root.template);
  for (const [name, { options, forEach, place, places }] of Object.entries(parts))
    if (forEach === undefined && options.aliases.includes(name))
      report.warning(
        "ignored",
        `The alias ${quoted(name)} is the name of the resource itself, so it has no effect.`,
        places?.get("/options/aliases") ?? place,
        "An alias is a former name.",
      );
  const resources = writtenOut({ root, layout });
  const reported = new Set<string>();
  for (const [to, { options }] of Object.entries(resources)) {
    const name = outermost(to);
    const part = own(parts, name);
    // One warning for each declaration: every turn of a loop has its aliases.
    if (part === undefined || reported.has(name)) continue;
    const from = options.aliases.find((alias) => hasOwnObject(alias));
    if (from === undefined) continue;
    reported.add(name);
    report.warning(
      "alias_in_use",
      `An alias of ${quoted(name)} is ${quoted(from)}, which the template still declares: an object that has it from an earlier version becomes ${quoted(to)}, and ${quoted(from)} is created.`,
      part.places?.get("/options/aliases") ?? part.place,
      "An alias is a former name: remove it if the object is to keep its name.",
    );
  }

  /**
   * Whether a resource with this address certainly exists and keeps its object. A resource with aliases of its own takes
   * another object: the names are swapped, or each moves on by one.
   */
  function hasOwnObject(address: string): boolean {
    const resource = own(resources, address);
    if (resource === undefined || resource.options.aliases.length > 0) return false;
    return resource.when === undefined && own(parts, outermost(address))?.when === undefined;
  }
}

/** The name in the template itself of the resource, loop or component. */
function outermost(address: string): string {
  return partsOfAddress(address)?.[0]?.name ?? "";
}

/** The resources of loops and components too; none if these cannot be written out, which other checks report. */
function writtenOut({ root, layout }: Pick<CheckedLevels, "root" | "layout">) {
  try {
    return writeOut(root, layout).template.resources;
  } catch (error) {
    if (error instanceof ResolveError) return {};
    throw error;
  }
}
