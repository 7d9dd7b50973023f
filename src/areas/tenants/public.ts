export { findTenant } from "./store.ts";
