/** A plan as lines for people: what it deletes and replaces first. Pure. */
import type * as z from "zod";
import { riskiestFirst, summaryWords } from "#schema/lists/deployment-words.ts";
import type { PlanView } from "./contract.ts";

type Plan = z.input<typeof PlanView>;
type Change = Plan["changes"][number];

/** Longer values are cut. */
const MAX_VALUE = 80;
const DETAIL = "             ";

export function planText({ changes, summary, planHash }: Plan): string {
  const told = riskiestFirst(changes, ({ action }) => action).filter(
    ({ action }) => action !== "unchanged",
  );
  const width = Math.max(0, ...told.map(({ resource }) => resource.length));
  return [
    `${summaryWords({ summary }) ?? "Nothing to change"}; ${summary.unchanged} unchanged.`,
    ...(told.length === 0 ? [] : [""]),
    ...told.flatMap((change) => linesOf(change, width)),
    "",
    `plan hash ${planHash}`,
    "",
  ].join("\n");
}

function linesOf(change: Change, width: number): string[] {
  const { action, resource, type, tentative, movedFrom, reason, leaves, changes } = change;
  const perhaps = tentative ? "  perhaps" : "";
  return [
    `  ${action.padEnd(9)}  ${resource.padEnd(width)}  ${type}${perhaps}`,
    ...(movedFrom === undefined ? [] : [`${DETAIL}was ${movedFrom} before`]),
    ...(reason === undefined ? [] : [`${DETAIL}why: ${reason}`]),
    ...changes.map(
      ({ path, before, after, replaces }) =>
        `${DETAIL}${path}: ${valueText(before)} → ${valueText(after)}${replaces ? "  (replaces the object)" : ""}`,
    ),
    ...(leaves === undefined ? [] : [`${DETAIL}what stays: ${leaves}`]),
  ];
}

function valueText(value: unknown): string {
  const text = value === null ? "nothing" : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
}
