import { lossMutants } from "./loss.ts";
import { moneyMutants } from "./money.ts";
import { racesMutants } from "./races.ts";
import { rightsMutants } from "./rights.ts";
import { secretsMutants } from "./secrets.ts";

/** Every mutant, by what the fault endangers. */
export const catalogue = {
  rights: rightsMutants,
  secrets: secretsMutants,
  races: racesMutants,
  money: moneyMutants,
  loss: lossMutants,
};
