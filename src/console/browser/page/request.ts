/** Requests to the API, with the session's cookie and `x-service-csrf`, which other sites cannot send. */
import { type Fault, Refusal } from "./refusal.ts";

/** The value of `etag` for an object that must not exist yet. */
const NEW = "new";

/**
 * Sends a change, with an idempotency key, and answers the successful response. `etag`: the version on the page, which
 * must not have changed since; `new`: the object must not exist. Throws a `Refusal` with words for people.
 */
export async function request(
  method: string,
  path: string,
  body?: unknown,
  etag?: string,
): Promise<Response> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    headers: {
      "x-service-csrf": "1",
      // A proxy may send a request twice.
      "idempotency-key": crypto.randomUUID(),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(etag === undefined ? {} : etag === NEW ? { "if-none-match": "*" } : { "if-match": etag }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch((cause: unknown) => {
    throw new Refusal("The service is not responding. Try again later.", [], { cause });
  });
  if (response.status === 401)
    location.assign(`/login?returnTo=${encodeURIComponent(location.pathname)}`);
  if (response.ok) return response;
  throw await refusalOf(response, etag);
}

/** The JSON of an answer of the service, which has the caller's type. */
export async function answerOf<Answer>(response: Response): Promise<Answer> {
  return (await response.json()) as Answer;
}

/** The JSON of a page or file of the service. Undefined: it cannot be read now. */
export async function readJson<Answer>(path: string): Promise<Answer | undefined> {
  const response = await fetch(path).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  return answerOf<Answer>(response).catch(() => undefined);
}

interface ProblemAnswer {
  detail?: string;
  errors?: readonly Fault[];
}

async function refusalOf(response: Response, etag: string | undefined): Promise<Refusal> {
  // A proxy may answer with something other than JSON.
  const { detail, errors } = await answerOf<ProblemAnswer>(response).catch(
    (): ProblemAnswer => ({}),
  );
  return new Refusal(
    response.status !== 412
      ? (detail ?? "The request failed. Try again later.")
      : etag === NEW
        ? "There is one of this name already. Nothing was changed."
        : "It was changed meanwhile, and your change was not made. Load the page again to see what it is now.",
    errors ?? [],
  );
}
