/** The script of every page of the console. */
import { start } from "./forms/acts.ts";
import { keepTimesTrue } from "./page/times.ts";

start(document);
keepTimesTrue();
