export { findFirstInvitations, type MyInvitation } from "./store.ts";
