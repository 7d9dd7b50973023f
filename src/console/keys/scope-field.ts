import type { Choice, Field } from "#console/act-form.tsx";
import { type Scope, scopes } from "#schema/lists/roles.ts";

/** The scopes that read everything. */
const reading = scopes.filter((scope) => scope.endsWith(":read"));
/** The scopes for a pipeline that creates and deploys instances. It cannot approve plans. */
const deploying: readonly Scope[] = [
  "instances:write",
  "deployments:write",
  "templates:read",
  "targets:read",
  "profiles:read",
];

/** The scopes of a key by area. None is preselected, so that each is a choice. */
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
