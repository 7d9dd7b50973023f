/** Lists of a resource group, as if they were objects. No template can name them: their names are not well formed. */
import type { RestType } from "#providers/rest/rest-type.ts";

/** What is in it. */
export const CONTENTS_TYPE = "azure:contents";
/** The further pages of that, by the property `skiptoken`. */
export const FURTHER_CONTENTS_TYPE = "azure:further-contents";
/** Log Analytics workspaces that were deleted from it, of which a PUT of the name recovers one. */
export const DELETED_WORKSPACES_TYPE = "azure:deleted-workspaces";

const contents = "/{+id}/resources?api-version=2025-04-01&$top=10";
const listed = (item: string): RestType => ({
  path: "/none",
  id: { known: "/{+place}" },
  paths: { item },
  update: "none",
});

const rows: ReadonlyMap<string, RestType> = new Map([
  [CONTENTS_TYPE, listed(contents)],
  [FURTHER_CONTENTS_TYPE, listed(`${contents}&$skiptoken={skiptoken}`)],
  [
    DELETED_WORKSPACES_TYPE,
    listed(
      "/{+id}/providers/Microsoft.OperationalInsights/deletedWorkspaces?api-version=2023-09-01",
    ),
  ],
]);

export function listRowOf(type: string): RestType | undefined {
  return rows.get(type);
}
