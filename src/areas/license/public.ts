export { currentStanding } from "./current-standing.ts";
export { demandLicense } from "./demand-license.ts";
