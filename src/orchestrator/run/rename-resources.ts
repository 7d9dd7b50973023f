/** Gives the resources of an instance their names in the template, when a run is past its plan. */
import { adoptAliases } from "#engine/state/adopt-aliases.ts";
import { findRenames } from "#engine/state/find-renames.ts";
import type { InstanceState } from "#engine/state/state.ts";
import type { Program } from "#orchestrator/program/program.ts";
import { type Entry, note } from "#orchestrator/storage/journal.ts";
import { firstNames } from "#platform/text/first-names.ts";
import type { OpenRun } from "./open-run.ts";

const MAX_RENAMES_SHOWN = 20;

/** The state with the names of the run's template. Throws the errors of `adoptAliases`. */
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

/** The write of the resources under their names in the template, with its log lines. */
interface Renaming {
  lines: Entry[];
  /** Run inside the transaction. */
  store: () => void;
}

/**
 * Prepares the renames by aliases. They are stored with the commit that begins to apply the plan, or when no other
 * change is left: the names of a plan that is refused, discarded or expires were never the objects' names. Undefined:
 * no rename is needed.
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
  const shown = renames.map(([from, to]) => `${from} to ${to}`);
  const lines =
    shown.length === 0 ? [] : [note(`Renamed ${firstNames(shown, MAX_RENAMES_SHOWN)}.`)];
  return {
    lines,
    store: () => {
      put();
      for (const [from, to] of renames) spec.movedFrom = { ...spec.movedFrom, [to]: from };
    },
  };
}
