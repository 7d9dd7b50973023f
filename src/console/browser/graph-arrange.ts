/** The Worker that arranges graphs, so that hundreds of resources do not hold up the page. */
import { arrange } from "./graph/arrange.ts";
import type { Arranged, Asked } from "./graph/layout.ts";

addEventListener("message", ({ data: { number, question } }: MessageEvent<Asked>) => {
  const arranged: Arranged = { number, arrangement: arrange(question) };
  postMessage(arranged);
});
