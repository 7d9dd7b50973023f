import {
  aFlag,
  anInteger,
  aText,
  aTime,
  choice,
  listOf,
  object,
  orNull,
} from "#test/support/fake-cloud/write-description.ts";

export const someTexts = listOf(aText);

export const someIntegers = listOf(anInteger);

export const tags = orNull(someTexts);

export const region = object({
  "name!": aText,
  "slug!": aText,
  "features!": someTexts,
  "available!": aFlag,
  "sizes!": someTexts,
});

export const connection = orNull(
  object({
    uri: aText,
    database: aText,
    host: aText,
    port: anInteger,
    user: aText,
    password: aText,
    ssl: aFlag,
  }),
);

export const action = object({
  action: object({
    id: anInteger,
    status: choice("in-progress", "completed", "errored"),
    type: aText,
    started_at: aTime,
    completed_at: orNull(aTime),
    resource_id: orNull(anInteger),
    resource_type: aText,
  }),
});
