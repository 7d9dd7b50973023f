import type { Field } from "#console/act-form.tsx";
import { wordsOf } from "#console/parts.tsx";
import { type Impact, impacts, type IncidentStatus } from "#schema/incidents.ts";

/** The fields of an update, and of the first one. `statuses`: the permitted ones. */
export function updateFields(
  statuses: readonly IncidentStatus[],
  now: { status: IncidentStatus; impact: Impact },
): Field[] {
  return [
    {
      name: "message",
      words: "Message",
      hint: "Everybody who sees the status page can read it.",
      kind: "multiline",
      isRequired: true,
      maxLength: 5000,
    },
    {
      name: "status",
      words: "Status",
      kind: "choice",
      choices: statuses.map((value) => ({ value, words: wordsOf(value) })),
      value: now.status,
    },
    {
      name: "impact",
      words: "Impact",
      kind: "choice",
      choices: impacts.map((value) => ({ value, words: wordsOf(value) })),
      value: now.impact,
    },
  ];
}
