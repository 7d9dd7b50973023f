/** The script of every page of the console. */
import { start } from "./forms/acts.ts";
import { sayNow } from "./page/say.ts";
import { keepTimes } from "./page/times.ts";

start(document);
sayNow();
keepTimes();
