import { describe, expect, it } from "vitest";
import { type Contents, contentAuthors } from "./content-authors.ts";

const nobody = { authors: {} };
const target = { version: 9, authors: {} };
const deployed = { instance: 4, target: 5, profile: { id: "p", version: 6 } };
const profile = { id: "p", version: 8, authors: { ann: 6, bob: 7 } };

const cases: readonly (readonly [string, Contents, ReturnType<typeof contentAuthors>])[] = [
  ["nobody", { deployed, version: nobody, instance: nobody, target }, {}],
  [
    "who wrote the version, deployed or not",
    { deployed, version: { authors: { ann: 1 } }, target },
    { ann: "version" },
  ],
  [
    "who changed the instance since",
    { deployed, instance: { authors: { ann: 4, bob: 5, cy: 6 } }, target },
    { bob: "instance", cy: "instance" },
  ],
  [
    "who changed the target since",
    { deployed, target: { version: 9, authors: { ann: 5, bob: 6 } } },
    { bob: "target" },
  ],
  ["who changed the profile since", { deployed, profile, target }, { bob: "profile" }],
  [
    "all who changed another profile than before",
    { deployed, profile: { ...profile, id: "q" }, target },
    { ann: "profile", bob: "profile" },
  ],
  [
    "all who changed the first profile",
    { deployed: { ...deployed, profile: null }, profile, target },
    { ann: "profile", bob: "profile" },
  ],
  [
    "those who are not named, as one",
    { deployed, instance: { authors: { "*": 5, ann: 6 } }, target },
    { "*": "instance", ann: "instance" },
  ],
  [
    "each person once",
    { deployed, version: { authors: { ann: 1 } }, instance: { authors: { ann: 9 } }, target },
    { ann: "version" },
  ],
];

describe("the authors of what a deployment takes", () => {
  it.each(cases)("are %s", (_, contents, authors) => {
    expect(contentAuthors(contents)).toEqual(authors);
  });
});
