import type { Choice, Field } from "#console/act-form.tsx";
import { type Scope, scopes } from "#schema/lists/roles.ts";

/** What reads everything. */
const reading = scopes.filter((scope) => scope.endsWith(":read"));
/** What a pipeline needs to make instances and deploy them. It approves no plan. */
const deploying: readonly Scope[] = [
  "instances:write",
  "deployments:write",
  "templates:read",
  "targets:read",
  "profiles:read",
];

/** What a key may do, by area. Nothing is chosen: whoever makes a key says what it may. */
export const scopeField: Field = {
  name: "scopes",
  words: "What it may do",
  hint: "Choose below, or begin with one of these.",
  kind: "checks",
  presets: [
    { words: "Read only", values: reading },
    { words: "Deploy", values: deploying },
    { words: "Everything that I may", values: ["*"] },
  ],
  choices: scopes.toSorted().map(choiceOf),
};

function choiceOf(value: Scope): Choice {
  const [area = "", action = ""] = value.split(":");
  if (value === "*") return { value, words: "everything that I may, now and later" };
  const words = action === "write" ? "read and write" : action;
  return { value, words, group: area.replaceAll("_", " ") };
}
