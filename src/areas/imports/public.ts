export { ImportProgress } from "./contract.ts";
