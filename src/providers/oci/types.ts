import { restTypes } from "#providers/rest/rest-types.ts";
import { networkRows } from "./network-rows.ts";
import { secretRows } from "./secret-rows.ts";
import { serviceRows } from "./service-rows.ts";

export const ociTypes = restTypes("oci", () => ({
  ...networkRows(),
  ...serviceRows(),
  ...secretRows(),
}));
