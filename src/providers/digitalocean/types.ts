import { restTypes } from "#providers/rest/rest-types.ts";
import { accountRows } from "./account-rows.ts";
import { computeRows } from "./compute-rows.ts";
import { databaseRows } from "./database-rows.ts";
import { networkRows } from "./network-rows.ts";
import { spacesRows } from "./spaces.ts";

export const digitaloceanTypes = restTypes("digitalocean", () => ({
  ...networkRows(),
  ...computeRows(),
  ...databaseRows(),
  ...accountRows(),
  ...spacesRows(),
}));
