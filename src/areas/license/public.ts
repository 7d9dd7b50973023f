export { LimitsView } from "./contract.ts";
export { currentStanding } from "./current-standing.ts";
export { requireLicense } from "./require-license.ts";
