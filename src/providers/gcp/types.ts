import { restTypes } from "#providers/rest/rest-types.ts";
import { computeRows } from "./compute-rows.ts";
import { dataRows } from "./data-rows.ts";
import { iamMemberRows } from "./iam-member-rows.ts";
import { serviceRows } from "./service-rows.ts";

export const gcpTypes = restTypes("gcp", () => ({
  ...serviceRows(),
  ...dataRows(),
  ...computeRows(),
  ...iamMemberRows(),
}));
