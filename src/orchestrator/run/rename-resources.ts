/** Gives the resources of an instance the names that its template has for them, when a run is past its plan. */
import { adoptAliases } from "#engine/state/adopt-aliases.ts";
import { findRenames } from "#engine/state/find-renames.ts";
import type { InstanceState } from "#engine/state/state.ts";
import type { Program } from "#orchestrator/program/program.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import type { OpenRun } from "./open-run.ts";

const MAX_RENAMES_SHOWN = 20;

/** The state under the names that the run's template gives it. Throws what `adoptAliases` throws. */
export function adoptedState(
  { spec }: OpenRun,
  { template }: Program,
  state: InstanceState,
): InstanceState {
  const { operation } = spec;
  return operation === "drift_check" || operation === "destroy"
    ? state
    : adoptAliases(state, template);
}

/** What stores the resources under their names in the template, with its log lines. */
interface Renaming {
  lines: Entry[];
  /** Run inside the transaction. */
  store: () => void;
}

/**
 * Prepares the names that aliases ask for. They are stored with the commit that begins to apply the plan, or when
 * nothing else is to change: the names of a plan that is refused, discarded or expires were never the objects' names.
 * Undefined: they have their names.
 */
export async function prepareRenaming(open: OpenRun): Promise<Renaming | undefined> {
  const { spec } = open;
  const resources = await open.parts.resources();
  const program = await open.program();
  const known = resources.view;
  const adopted = adoptedState(open, program, known);
  if (adopted === known) return undefined;
  const renames = [...findRenames(known, program.template)];
  const put = await resources.rename(adopted);
  const shown = renames.slice(0, MAX_RENAMES_SHOWN).map(([from, to]) => `${from} to ${to}`);
  const more = renames.length - shown.length;
  const lines =
    shown.length === 0
      ? []
      : [note(`Renamed ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}.`)];
  return {
    lines,
    store: () => {
      put();
      for (const [from, to] of renames) spec.movedFrom = { ...spec.movedFrom, [to]: from };
    },
  };
}
