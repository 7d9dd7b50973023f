export { requireMonthlyRoom, requireRoom } from "./room.ts";
export { findTenant } from "./store.ts";
