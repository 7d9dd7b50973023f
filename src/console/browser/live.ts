/** The script of pages that show what runs: reads their live parts again, often while something is open. */
import "./console.ts";
import { withData } from "#console/shared/page-names.ts";
import { LiveParts } from "./live/live-parts.ts";

/** Each reading costs a few calls of the reader's quota. */
const WHILE_OPEN_MS = 2_000;
const OTHERWISE_MS = 20_000;

const liveParts = new LiveParts();

function next(): void {
  const isOpen = document.querySelector(withData("open", "true")) !== null;
  setTimeout(
    () => {
      if (!document.hidden) liveParts.readSoon();
      next();
    },
    isOpen ? WHILE_OPEN_MS : OTHERWISE_MS,
  );
}

next();
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) liveParts.readSoon();
});
