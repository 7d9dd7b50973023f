export { inheritedVariables } from "./profile-variables.ts";
export { findProfile, findProfileTarget, profileExists } from "./store.ts";
