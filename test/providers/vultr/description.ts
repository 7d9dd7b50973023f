/** What Vultr's API takes and shows of the 22 types, in our own words. */
import type { JsonMap } from "#platform/json.ts";
import {
  aText,
  anInteger,
  object,
  writeDescription,
} from "#test/support/fake-cloud/write-description.ts";
import { computeCalls, computeCollections } from "./description/compute.ts";
import { dataCalls, dataCollections } from "./description/data.ts";
import { networkCalls, networkCollections } from "./description/network.ts";

/** The body of every error. */
export const anError = object({ "error!": aText, status: anInteger });

export const vultrDocument: JsonMap = writeDescription(
  [...computeCollections, ...networkCollections, ...dataCollections],
  [...computeCalls, ...networkCalls, ...dataCalls],
  anError,
);
