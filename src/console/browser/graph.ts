/** The script of pages with a graph. */
import "./console.ts";
import { drawGraphs } from "./graph/graphs.ts";

drawGraphs(document);
