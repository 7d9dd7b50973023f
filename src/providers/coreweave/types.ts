import { restTypes } from "#providers/rest/rest-types.ts";
import { kubernetesRows } from "./kubernetes-rows.ts";
import { managementRows } from "./management-rows.ts";

export const coreweaveTypes = restTypes("coreweave", () => ({
  ...managementRows(),
  ...kubernetesRows(),
}));
