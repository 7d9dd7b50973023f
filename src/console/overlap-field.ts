import type { Field } from "./act-form.tsx";

/** How long a replaced secret stays valid. In the form's path as `{overlapSeconds}`. */
export function overlapField(words: string): Field {
  return {
    name: "overlapSeconds",
    words,
    kind: "choice",
    value: "86400",
    choices: [
      { value: "0", words: "not at all: it leaked" },
      { value: "3600", words: "an hour" },
      { value: "86400", words: "a day" },
      { value: "604800", words: "7 days" },
    ],
  };
}
