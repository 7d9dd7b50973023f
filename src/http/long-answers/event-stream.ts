/**
 * An endpoint that answers server-sent events, or the same as lines of text. It polls its source for events after the last one sent, so no event is
 * lost if the source restarts or the connection breaks (`Last-Event-ID` resumes after the last event received).
 *
 * At each heartbeat the stream authorizes the caller again and reloads its subject. Without the right it ends with
 * `event: problem`, whose data is the problem that the same request would get now.
 */
import type * as z from "zod";
import { PLAIN_TEXT } from "#http/answer.ts";
import type { Endpoint, Input } from "#http/endpoint.ts";
import { problemOf } from "#http/problem.ts";
import { callOf } from "#http/request-call.ts";
import { handlerRoute, type Route } from "#http/route.ts";
import type { Call } from "#kernel/call/call.ts";
import { ApiError } from "#kernel/errors.ts";
import { describeError, log } from "#platform/log.ts";
import { type OpenStream, openStream } from "./open-streams.ts";
import { heartbeat, type Renew, renewalOf } from "./renewal.ts";

const AFTER_FAULT_MS = 1_000;
export const EVENT_STREAM = "text/event-stream";

export interface EventPage {
  events: readonly { id: number; data: unknown }[];
  /** The data of `event: end`; undefined: more events can come. */
  end: object | undefined;
}

export interface EventSource<S> {
  /** Loads the subject of the stream. Throws if the caller may not read it. */
  open: (call: Call) => Promise<S>;
  /** The tenant of the subject. */
  tenantOf: (subject: S) => string;
  /** Events after a sequence number, waiting up to `waitMs` for the first. */
  read: (subject: S, afterId: number, waitMs: number) => Promise<EventPage>;
  /** An event's data as a line for people, without a break. Absent: there is no such form. */
  line?: (data: unknown) => string;
}

/** Joins an endpoint that declares an event stream beside JSON, its source, and its JSON answer. */
export function streamRoute<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType,
  S,
>(
  endpoint: Endpoint<P, Q, B, A>,
  sourceOf: (input: Input<P, Q, B>) => EventSource<S>,
  otherwise: {
    /** The event to continue after, where `Last-Event-ID` names none. */
    after: (input: Input<P, Q, B>) => number | undefined;
    /** The answer for callers who do not accept events. */
    page: (subject: S, input: Input<P, Q, B>) => Promise<Response>;
  },
): Route {
  return handlerRoute(endpoint, async (c, input) => {
    const source = sourceOf(input);
    const call = await callOf(c, endpoint);
    const subject = await source.open(call);
    const accepted = c.req.header("accept") ?? "";
    const form = accepted.includes(EVENT_STREAM)
      ? events
      : source.line !== undefined && accepted.includes(PLAIN_TEXT)
        ? linesOf(source.line)
        : undefined;
    if (form === undefined) return otherwise.page(subject, input);
    const lastEventId = Number(c.req.header("last-event-id") ?? otherwise.after(input) ?? 0);
    const stream = eventStream(source, {
      subject,
      renew: renewalOf(c, endpoint),
      afterId: Number.isSafeInteger(lastEventId) && lastEventId > 0 ? lastEventId : 0,
      form,
      at: { path: c.req.path, requestId: call.requestId },
      counted: openStream(source.tenantOf(subject), Date.now()),
    });
    return new Response(stream, {
      headers: { "content-type": form.type, "cache-control": "no-store" },
    });
  });
}

/** How a stream writes what it has to say. */
interface StreamForm {
  type: string;
  event: (event: EventPage["events"][number]) => string;
  end: (data: object) => string;
  problem: (problem: ReturnType<typeof problemOf>) => string;
  /** Keeps proxies from closing a quiet stream. */
  quiet: string;
}

const events: StreamForm = {
  type: EVENT_STREAM,
  event: ({ id, data }) => `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`,
  end: (data) => `event: end\ndata: ${JSON.stringify(data)}\n\n`,
  problem: (problem) => `event: problem\ndata: ${JSON.stringify(problem)}\n\n`,
  quiet: ": still here\n\n",
};

const linesOf = (line: NonNullable<EventSource<never>["line"]>): StreamForm => ({
  type: `${PLAIN_TEXT}; charset=utf-8`,
  event: ({ data }) => `${line(data)}\n`,
  end: () => "",
  problem: ({ detail }) => `${detail}\n`,
  quiet: "",
});

export function eventStream<S>(
  { open, read }: Pick<EventSource<S>, "open" | "read">,
  of: {
    subject: S;
    renew: Renew;
    afterId: number;
    at: { path: string; requestId: string };
    counted?: OpenStream;
    form?: StreamForm;
  },
): ReadableStream<Uint8Array> {
  const { form = events } = of;
  const encoder = new TextEncoder();
  let lastId = of.afterId;
  let subject = of.subject;
  let askedMs = Date.now();
  const leftMs = () => askedMs + heartbeat.intervalMs - Date.now();
  const askAgain = async (): Promise<void> => {
    if (leftMs() > 0) return;
    const nowMs = Date.now();
    subject = await open(await of.renew());
    askedMs = nowMs;
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A stream without a chunk is not asked for another one: an empty one is sent for an empty text.
      const send = (text: string) => controller.enqueue(encoder.encode(text));
      const close = (): void => {
        of.counted?.end();
        controller.close();
      };
      of.counted?.goesOn(Date.now());
      try {
        // A slow receiver delays the next read, so the right is checked here too.
        await askAgain();
        const page = await read(subject, lastId, Math.max(1, leftMs()));
        await askAgain();
        let text = "";
        for (const event of page.events) {
          lastId = event.id;
          text += form.event(event);
        }
        if (page.end !== undefined) text += form.end(page.end);
        send(text === "" ? form.quiet : text);
        if (page.end !== undefined) close();
      } catch (error) {
        if (error instanceof ApiError) {
          send(form.problem(problemOf(error, of.at)));
          close();
          return;
        }
        log("warn", "An event stream could not read on; it tries again", {
          requestId: of.at.requestId,
          error: describeError(error),
        });
        await scheduler.wait(AFTER_FAULT_MS);
        send(form.quiet);
      }
    },
    cancel: () => of.counted?.end(),
  });
}
