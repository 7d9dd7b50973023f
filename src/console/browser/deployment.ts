/**
 * The script of a deployment's page: adds the lines of the log as they are written, marks their resources, and reads the
 * other parts of the page again after a change. It does not poll.
 */
import "./console.ts";
import type { LogLine } from "#console/shared/log-line.ts";
import { ids, selectorOf } from "#console/shared/page-names.ts";
import { followLog } from "./deployment/follow-log.ts";
import { LogView } from "./deployment/log-view.ts";
import { ResourceMarks } from "./deployment/resource-marks.ts";
import { drawGraphs } from "./graph/graphs.ts";
import { LiveParts } from "./live/live-parts.ts";
import { dataOf, requiredData } from "./page/data.ts";
import { part } from "./page/part.ts";

/** Lines that arrive together are added together: each time, the log is measured and the whole plan marked. */
const TOGETHER_MS = 50;

const log = part(document, selectorOf(ids.log), HTMLOListElement);
const live = part(document, selectorOf(ids.live), HTMLElement);
const deploymentId = requiredData(log, "deployment");
const isOpen = dataOf(log, "open") === "true";
const view = new LogView(`deployment-${deploymentId}.log`);
/** The state that the page shows: it was read together with the plan. */
const standing = () => part(document, selectorOf(ids.standing), HTMLElement);
// A check changes nothing, and a plan is only made.
const isRun = !["drift_check", "plan"].includes(requiredData(standing(), "operation"));
const marks = new ResourceMarks(() => dataOf(standing(), "over") === "true");
const liveParts = new LiveParts(showMarks);
let arrived: LogLine[] = [];

drawGraphs(document);
for (const line of view.shown()) marks.note(line);
showMarks();
followLog(deploymentId, Number(requiredData(log, "after")), {
  line(line) {
    if (arrived.length === 0) setTimeout(addArrived, TOGETHER_MS);
    arrived.push(line);
    readIfOpen();
  },
  connected(isAgain) {
    if (isAgain) readIfOpen();
    live.textContent = isOpen ? "live" : "";
  },
  broken(isForever) {
    live.textContent = isForever ? "not live: load the page again" : "connecting again";
  },
  ended() {
    live.textContent = "";
    readIfOpen();
  },
});
// Its place in the queue changes without a line.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) readIfOpen();
});

function readIfOpen(): void {
  if (isOpen) liveParts.readSoon();
}

function addArrived(): void {
  const lines = arrived;
  arrived = [];
  view.add(lines);
  for (const { elapsedMs, resource, ...line } of lines)
    marks.note({ ...line, resource, isDone: elapsedMs !== undefined });
  showMarks();
}

function showMarks(): void {
  if (isRun) marks.show();
}
