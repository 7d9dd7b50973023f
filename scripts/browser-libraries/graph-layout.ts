/** The imports of the console's graphs, as one static asset. */
export { graphlib, layout } from "@dagrejs/dagre";
