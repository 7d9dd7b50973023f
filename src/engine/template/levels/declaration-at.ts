import { own } from "#engine/template/own.ts";
import type { Library, Pins, ResourceDeclaration, Template } from "#engine/template/template.ts";
import { partsOfAddress } from "./address.ts";
import { componentOf } from "./level.ts";

/**
 * The declaration of a resource by its address, whatever the conditions and keys of loops are. For a run that knows no
 * config values, as a drift check.
 */
export function declarationAt(
  address: string,
  template: Template,
  pins: Pins,
  library: Library,
): ResourceDeclaration | undefined {
  const parts = partsOfAddress(address) ?? [];
  let level = { template, pins };
  for (const [depth, { name, key }] of parts.entries()) {
    const isLast = depth === parts.length - 1;
    const { resources, components } = level.template;
    const resource = isLast ? own(resources, name) : undefined;
    const use = isLast ? undefined : own(components, name);
    const isLoop = (resource ?? use)?.forEach !== undefined;
    if (isLoop !== (key !== undefined)) return undefined;
    if (use === undefined) return resource;
    const inner = componentOf(use, level.pins, library);
    if (inner === undefined) return undefined;
    level = inner;
  }
  return undefined;
}
