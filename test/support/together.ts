/**
 * Makes requests interleave at the worst moment every time: after all have read and before any has written. `about`: an
 * id in the parameters of these requests alone, which distinguishes them from queues and sweeps.
 */
import { env } from "cloudflare:workers";

type Batch = (this: D1DatabaseSession, statements: D1PreparedStatement[]) => Promise<D1Result[]>;
type All = (this: D1PreparedStatement) => Promise<D1Result>;

interface Bound {
  params: readonly unknown[];
}

/** Replaces the database round trips about that id with `replace` until the work is done. */
async function withRoundTrips<T>(
  about: string,
  replace: <R>(run: () => Promise<R>) => Promise<R>,
  work: () => Promise<T>,
): Promise<T> {
  // The database sends its own batches in a session that it keeps.
  const d1 = Object.getPrototypeOf(env.DB.withSession()) as { batch: Batch };
  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1")) as { all: All };
  const { batch } = d1;
  const { all } = statement;
  const isAbout = (bound: D1PreparedStatement) =>
    (bound as unknown as Bound).params.includes(about);
  d1.batch = async function (statements) {
    const run = () => batch.call(this, statements);
    return statements.some(isAbout) ? replace(run) : run();
  };
  // A single statement runs outside a batch.
  statement.all = async function () {
    const run = () => all.call(this);
    return isAbout(this) ? replace(run) : run();
  };
  try {
    return await work();
  } finally {
    d1.batch = batch;
    statement.all = all;
  }
}

/** Sends requests that all read before any of them writes. */
export async function together<T>(
  about: string,
  ...requests: readonly (() => Promise<T>)[]
): Promise<T[]> {
  const { promise: allHaveRead, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  let read = 0;
  return withRoundTrips(
    about,
    async (run) => {
      begun += 1;
      const isRead = begun <= requests.length;
      const results = await run();
      if (isRead) {
        read += 1;
        if (read === requests.length) resolve();
        await allHaveRead;
      }
      return results;
    },
    () => Promise.all(requests.map((request) => request())),
  );
}

/** Runs `other` after the request has read and before it writes; returns both answers. */
export async function overtaken<T>(
  about: string,
  request: () => Promise<T>,
  by: () => Promise<T>,
): Promise<T[]> {
  let overtaking: Promise<T> | undefined;
  const answer = await withRoundTrips(
    about,
    async (run) => {
      const results = await run();
      if (overtaking === undefined) {
        overtaking = by();
        await overtaking;
      }
      return results;
    },
    request,
  );
  if (overtaking === undefined) throw new Error("The request has asked nothing about that id");
  return [answer, await overtaking];
}
