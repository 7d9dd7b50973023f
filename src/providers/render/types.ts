import { restTypes } from "#providers/rest/rest-types.ts";
import { dataRows } from "./data-rows.ts";
import { serviceRows } from "./service-rows.ts";
import { workspaceRows } from "./workspace-rows.ts";

export const renderTypes = restTypes("render", () => ({
  ...serviceRows(),
  ...dataRows(),
  ...workspaceRows(),
}));
