/** The script of every page of the console. */
import { start } from "./forms/acts.ts";

start(document);
