/**
 * Follows a deployment: adds the lines of its log as they are written, colours the resources that they are about, and
 * reads what else the page shows again when something happened. It asks for nothing while nothing happens.
 */
import { start } from "./console.js";
import { drawGraphs, markResource } from "./graph.js";
import { logText } from "./log-text.js";

const log = document.querySelector("#log");
const live = document.querySelector("#live");
const search = document.querySelector("#log-search");
const level = document.querySelector("#log-level");
const { deployment } = log.dataset;
/** How the graph tells the marks that the rows have. */
const told = {
  moving: { words: "under way", tone: "busy" },
  retrying: { words: "retrying", tone: "wait" },
  done: { words: "done", tone: "good" },
  failed: { words: "failed", tone: "bad" },
};
/** Several lines in a row are one reason to read the page again. */
const PAUSE_MS = 400;
/** Lines that arrive together are added together: each time, the log is measured and the whole plan gone through. */
const TOGETHER_MS = 50;
/** Doubled with each failure, to half a minute. */
const AGAIN_MS = 1000;
const MOST_FAILURES = 12;
/** How a line of the log ends that tells of another try. */
const RETRY = /(?:Retrying|Trying again) in [\d.]+ s\.$/;

/** Of each resource, what the log said last. */
const marks = new Map();
/** Of each resource, how often it was tried again. */
const retries = new Map();
let lastSeq = Number(log.dataset.after);
let due;
let arrived = [];
let isReading = false;

for (const line of log.children) note(line);
mark();
document.querySelector("#log-tools").hidden = false;
search.addEventListener("input", filter);
level.addEventListener("change", filter);
document.querySelector("#log-save").addEventListener("click", save);
follow();
// While nobody looked, its place in the queue may have become another: no line says so.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && log.dataset.open === "true") readAgain();
});

/**
 * The browser connects again by itself when a connection breaks, and says which line it had last. Where it gives up,
 * because something between answered with an error, another connection begins after that line.
 */
function follow(failures = 0) {
  const isOpen = log.dataset.open === "true";
  const source = new EventSource(`/api/v1/deployments/${deployment}/log?cursor=${lastSeq}`);
  let failed = failures;
  source.addEventListener("open", () => {
    // What happened meanwhile may have written no line.
    if (failed > 0 && isOpen) readAgain();
    failed = 0;
    say(isOpen ? "live" : "");
  });
  source.addEventListener("error", () => {
    failed += 1;
    if (source.readyState !== EventSource.CLOSED) return say("connecting again");
    if (failed > MOST_FAILURES) return say("not live: load the page again");
    say("connecting again");
    setTimeout(() => follow(failed), AGAIN_MS * 2 ** Math.min(failed, 5));
  });
  source.addEventListener("message", ({ data }) => {
    const line = JSON.parse(data);
    // Two connections may tell the same.
    if (line.seq <= lastSeq) return;
    lastSeq = line.seq;
    if (arrived.length === 0) setTimeout(addArrived, TOGETHER_MS);
    arrived.push(line);
    if (isOpen) readAgain();
  });
  source.addEventListener("end", () => {
    source.close();
    say("");
    if (isOpen) readAgain();
  });
}

function say(words) {
  live.textContent = words;
}

function addArrived() {
  const isAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
  const lines = arrived.map(lineOf);
  arrived = [];
  log.append(...lines);
  for (const line of lines) {
    note(line);
    show(line);
  }
  mark();
  if (isAtEnd) log.scrollTop = log.scrollHeight;
}

function lineOf({ seq, at, level: severity, message, resource, elapsedMs }) {
  const line = document.createElement("li");
  line.value = seq;
  line.dataset.level = severity;
  if (resource !== undefined) line.dataset.resource = resource;
  if (elapsedMs !== undefined) line.dataset.done = "true";
  const time = document.createElement("time");
  time.dateTime = at;
  time.textContent = at.slice(11, 19);
  const words = document.createElement("span");
  words.textContent = message;
  line.append(time, " ", words);
  return line;
}

function note(line) {
  const { resource, level: severity, done } = line.dataset;
  if (resource === undefined) return;
  const isRetry = RETRY.test(line.textContent);
  if (isRetry) retries.set(resource, (retries.get(resource) ?? 0) + 1);
  marks.set(
    resource,
    severity === "error" ? "failed" : done === "true" ? "done" : isRetry ? "retrying" : "moving",
  );
}

/** By what the log said last of each resource. */
function mark() {
  for (const item of document.querySelectorAll("#plan [data-resource]")) {
    const state = marks.get(item.dataset.resource);
    if (state === undefined) continue;
    item.dataset.mark = state;
    tell(item, "progress", told[state]);
    const count = retries.get(item.dataset.resource);
    if (count !== undefined)
      tell(item, "retries", { words: count === 1 ? "1 retry" : `${count} retries`, tone: "wait" });
  }
  for (const [resource, state] of marks) markResource(resource, told[state]);
}

/** In the summary of a resource's row, as words of their own. */
function tell(item, name, { words, tone }) {
  const summary = item.querySelector("summary");
  if (summary === null) return;
  let tag = summary.querySelector(`.${name}`);
  if (tag === null) {
    tag = document.createElement("span");
    summary.append(" ", tag);
  }
  tag.className = `tag ${tone} ${name}`;
  tag.textContent = words;
}

function filter() {
  for (const line of log.children) show(line);
}

function show(line) {
  const wanted = { "": ["info", "warn", "error"], warn: ["warn", "error"], error: ["error"] };
  const text = line.textContent.toLowerCase();
  line.hidden =
    !wanted[level.value].includes(line.dataset.level) ||
    !text.includes(search.value.trim().toLowerCase());
}

function save() {
  const entries = [...log.children].map((line) => ({
    at: line.querySelector("time").dateTime,
    level: line.dataset.level,
    message: line.querySelector("span").textContent,
  }));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([logText(entries)], { type: "text/plain" }));
  link.download = `deployment-${deployment}.log`;
  link.click();
  URL.revokeObjectURL(link.href);
}

function readAgain() {
  clearTimeout(due);
  due = setTimeout(() => void replaceParts(), PAUSE_MS);
}

/** The page itself knows best what it shows: what changed of its parts is taken from it. */
async function replaceParts() {
  if (isReading) return readAgain();
  isReading = true;
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    if (!response.ok || response.redirected) return;
    const now = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of document.querySelectorAll("[data-live]")) {
      const other = now.getElementById(part.id);
      if (other === null || other.outerHTML === part.dataset.shown) continue;
      if (part.dataset.graph !== undefined && part.dataset.graph === other.dataset.graph) continue;
      const opened = new Set([...part.querySelectorAll("details[open]")].map(keyOf));
      const fresh = document.importNode(other, true);
      fresh.dataset.shown = other.outerHTML;
      for (const details of fresh.querySelectorAll("details"))
        if (opened.has(keyOf(details))) details.open = true;
      part.replaceWith(fresh);
      start(fresh);
    }
    drawGraphs(document);
    document.title = now.title;
    mark();
  } catch {
    // The next line of the log is the next try.
  } finally {
    isReading = false;
  }
}

function keyOf(details) {
  const { resource, part } = details.closest("[data-resource], [data-part]")?.dataset ?? {};
  return part === undefined ? resource : `part ${part}`;
}
