import { restTypes } from "#providers/rest/rest-types.ts";
import { accountRows } from "./account-rows.ts";
import { computeRows } from "./compute-rows.ts";
import { dataRows } from "./data-rows.ts";
import { edgeRows } from "./edge-rows.ts";
import { networkRows } from "./network-rows.ts";
import { described } from "./row-parts.ts";

export const awsTypes = restTypes(
  "aws",
  () => ({
    ...networkRows(),
    ...computeRows(),
    ...dataRows(),
    ...edgeRows(),
    ...accountRows(),
  }),
  described,
);
