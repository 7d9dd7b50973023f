/** What DigitalOcean's API takes and shows of the 27 types, in our own words. */
import type { JsonMap } from "#platform/json.ts";
import { aText, object, writeDescription } from "#test/support/fake-cloud/write-description.ts";
import { accountCalls, accountCollections } from "./description/account.ts";
import { computeCalls, computeCollections } from "./description/compute.ts";
import { databasesCalls, databasesCollections } from "./description/databases.ts";
import { networkCalls, networkCollections } from "./description/network.ts";

export const digitaloceanDocument: JsonMap = writeDescription(
  [...computeCollections, ...databasesCollections, ...networkCollections, ...accountCollections],
  [...computeCalls, ...databasesCalls, ...networkCalls, ...accountCalls],
  object({ "id!": aText, "message!": aText, request_id: aText }),
);
