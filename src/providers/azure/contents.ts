import type { RestType } from "#providers/rest/rest-type.ts";

/** What is in a resource group, as if it were an object. No template can name it: its name is not well formed. */
export const CONTENTS_TYPE = "azure:contents";

export const contentsRow: RestType = {
  path: "/none",
  knownId: "/{+place}",
  itemPath: "/{+id}/resources?api-version=2025-04-01&$top=10",
  update: "none",
};
