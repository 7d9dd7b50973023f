import { restTypes } from "#providers/rest/rest-types.ts";
import { computeRows } from "./compute-rows.ts";
import { databaseRows } from "./database-rows.ts";
import { kubernetesRows } from "./kubernetes-rows.ts";
import { networkRows } from "./network-rows.ts";
import { storageRows } from "./storage-rows.ts";

export const vultrTypes = restTypes("vultr", () => ({
  ...networkRows(),
  ...computeRows(),
  ...storageRows(),
  ...kubernetesRows(),
  ...databaseRows(),
}));
