/** The progress of each resource by its latest line of the log, in the rows of the plan and in the graph. */
import { markResource } from "#console/browser/graph/graphs.ts";
import { dataOf, setData } from "#console/browser/page/data.ts";
import { make } from "#console/browser/page/make.ts";
import { ids, selectorOf, withData } from "#console/shared/page-names.ts";
import type { Shown } from "./log-view.ts";

type Progress = "moving" | "retrying" | "done" | "failed" | "skipped";

const marks = {
  moving: { words: "under way", tone: "busy" },
  retrying: { words: "retrying", tone: "wait" },
  done: { words: "done", tone: "good" },
  failed: { words: "failed", tone: "bad" },
  skipped: { words: "not done", tone: "wait" },
} as const;

/** The end of a line about another try. */
const RETRY = /(?:Retrying|Trying again) in [\d.]+ s\.$/;

export class ResourceMarks {
  readonly #progress = new Map<string, Progress>();
  readonly #isOver: () => boolean;
  /** The number of retries of each resource. */
  readonly #retries = new Map<string, number>();

  /** `isOver`: the run has ended, so nothing is under way any more. */
  constructor(isOver: () => boolean) {
    this.#isOver = isOver;
  }

  /** Takes a line of the log into account. */
  note({ level, message, resource, isDone }: Shown): void {
    if (resource === undefined) return;
    const isRetry = RETRY.test(message);
    if (isRetry) this.#retries.set(resource, (this.#retries.get(resource) ?? 0) + 1);
    this.#progress.set(
      resource,
      level === "error" ? "failed" : isDone ? "done" : isRetry ? "retrying" : "moving",
    );
  }

  show(): void {
    const isOver = this.#isOver();
    const rows = `${selectorOf(ids.plan)} ${withData("resource")}`;
    for (const row of document.querySelectorAll(rows)) {
      const resource = dataOf(row, "resource") ?? "";
      const progress = this.#progressOf(resource, isOver);
      if (progress === undefined) continue;
      setData(row, "mark", progress);
      showTag(row, "progress", marks[progress]);
      markResource(resource, marks[progress]);
      const count = this.#retries.get(resource);
      if (count !== undefined)
        showTag(row, "retries", {
          words: count === 1 ? "1 retry" : `${count} retries`,
          tone: "wait",
        });
    }
  }

  /** Undefined: nothing is known of it yet, or the plan says it all. */
  #progressOf(resource: string, isOver: boolean): Progress | undefined {
    const progress = this.#progress.get(resource);
    if (!isOver || progress === "done" || progress === "failed") return progress;
    // Of a run without any line, the state says it all.
    return this.#progress.size === 0 ? undefined : "skipped";
  }
}

/** Writes a tag into the summary of a resource's row. */
function showTag(row: Element, name: string, { words, tone }: { words: string; tone: string }) {
  const summary = row.querySelector("summary");
  if (summary === null) return;
  let tag = summary.querySelector(`.${name}`);
  if (tag === null) {
    tag = make("span");
    summary.append(" ", tag);
  }
  tag.className = `tag ${tone} ${name}`;
  tag.textContent = words;
}
