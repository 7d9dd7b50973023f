/** Asks the Worker of this page to arrange a graph. */
import { scriptAddress } from "#console/shared/scripts.ts";
import type { Arranged, Arrangement, Asked, Question } from "./layout.ts";

const waiting = new Map<number, (arrangement: Arrangement) => void>();
let asked = 0;
let worker: Worker | undefined;

export function askArranger(question: Question): Promise<Arrangement> {
  worker ??= startWorker();
  asked += 1;
  const message: Asked = { number: asked, question };
  const { promise, resolve } = Promise.withResolvers<Arrangement>();
  waiting.set(asked, resolve);
  worker.postMessage(message, []);
  return promise;
}

function startWorker(): Worker {
  const started = new Worker(scriptAddress("graph-arrange"), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<Arranged>) => {
    waiting.get(data.number)?.(data.arrangement);
    waiting.delete(data.number);
  });
  return started;
}
