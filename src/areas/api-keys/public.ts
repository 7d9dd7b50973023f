export { findMyKeys, type MyKey } from "./my-keys.ts";
