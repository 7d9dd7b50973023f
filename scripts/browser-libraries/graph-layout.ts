/** What the console's graphs import, as one static asset. */
export { graphlib, layout } from "@dagrejs/dagre";
