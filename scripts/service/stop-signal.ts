import { isAlive, processTable } from "./process-table.ts";

const PARENT_STEP_MS = 200;

/** Aborts on SIGINT, SIGTERM or SIGHUP, or, under npm, when npm was killed and cannot forward a signal. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort(new Error("Stopped before it was ready."));
  };
  const onSignal = (): void => {
    // Second signal: exit at once, and the supervisor kills the remaining processes.
    if (controller.signal.aborted) process.exit(130);
    abort();
  };
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, onSignal);
  if (process.env["npm_lifecycle_event"] !== undefined) void watchNpm(abort);
  return controller.signal;
}

/** npm runs a script through a shell, so npm is the grandparent, or the parent if the shell used exec. */
async function watchNpm(onEnd: () => void): Promise<void> {
  const parent = process.ppid;
  const grandparent = (await processTable()).find(({ pid }) => pid === parent)?.parent;
  const isOrphan = async (): Promise<boolean> =>
    process.ppid !== parent ||
    (grandparent !== undefined && grandparent > 1 && !(await isAlive(grandparent)));
  const timer = setInterval(() => {
    void isOrphan().then((orphan) => orphan && onEnd());
  }, PARENT_STEP_MS);
  timer.unref();
}
