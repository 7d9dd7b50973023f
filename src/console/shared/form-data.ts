/** The parts of a form that pages write and the script reads. */

/** The conversions of an input to JSON; `Field` (act-form.tsx) explains them. */
export const controlKinds = [
  "text",
  "secret",
  "multiline",
  "comment",
  "source",
  "number",
  "flag",
  "lines",
  "pairs",
  "json",
  "choice",
  "choices",
  "checks",
  "time",
  "lifetime",
  "owner",
] as const;
export type ControlKind = (typeof controlKinds)[number];

/** The result of an empty input: no member, null to remove a value, or an empty text. */
export type Empty = "nothing" | "null" | "text";

/** The values of the two choices of an owner. */
export const owners = { tenant: "tenant", platform: "platform" } as const;

/** The names of the inputs that scripts ask for. */
export const fieldNames = { source: "source", tenantId: "tenantId" } as const;

/** The step after success: reload this page, go to a page, or show members of the answer. */
export type Then = "stay" | { goTo: PageOfAnswer } | ShownAnswer;

/** The address of a page, with names in braces taken from the answer: `/deployments/{id}`. */
export type PageOfAnswer = string;

/** Members of the answer with their labels. They replace the form until the reader goes on. */
export interface ShownAnswer {
  show: Readonly<Record<string, string>>;
  /** The explanation of the members. Default: a warning that they are shown only once. */
  intro?: string;
  /** A link of this service to pass on, with names in braces taken from the answer. */
  link?: string;
  /** The page to which the reader goes on. Default: this page again. */
  goTo?: PageOfAnswer;
}
