import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { planLimits } from "#schema/lists/plans.ts";
import { API_PREFIX } from "./api-prefix.ts";
import { endpoint } from "./endpoint.ts";
import { answerUnmatched, useShell } from "./middleware/shell.ts";
import type { AppEnv } from "./request-call.ts";
import { areaRouter, plainRoute, route } from "./route.ts";

const old = endpoint({
  method: "GET",
  path: "/old/{id}",
  operationId: "getOld",
  tag: "Things",
  summary: "Read an old thing",
  access: "public",
  params: z.object({ id: z.string().max(3) }),
  answer: { status: 200, description: "It.", schema: z.object({}) },
  deprecated: {
    sinceMs: Date.UTC(2027, 0, 1),
    sunsetMs: Date.UTC(2027, 6, 1),
    link: "https://control.example/docs#new",
  },
});

describe("a deprecated endpoint", () => {
  const app = new Hono<AppEnv>();
  useShell(app, [old], async () => planLimits.community);
  app.route(API_PREFIX, areaRouter([plainRoute(old, async () => Response.json({}))]));
  answerUnmatched(app, [old]);

  it.each([
    ["an answer", "/old/a", 200],
    ["an error", "/old/abcd", 400],
  ])("adds the deprecation headers to %s", async (_, path, status) => {
    const answer = await app.request(
      API_PREFIX + path,
      {},
      {
        RATE_LIMITS: "off",
        WEBHOOK_ALLOW_INSECURE: "on",
        DB: {},
      },
    );
    expect(answer.status).toBe(status);
    expect(answer.headers.get("deprecation")).toBe("@1798761600");
    expect(answer.headers.get("sunset")).toBe("Thu, 01 Jul 2027 00:00:00 GMT");
    expect(answer.headers.get("link")).toBe(
      '<https://control.example/docs#new>; rel="deprecation"',
    );
  });
});

describe("an endpoint that waits", () => {
  const { deprecated: _, ...waiting } = { ...old, waits: true };
  const whenEnded = async () => ({});

  it("needs a function that waits, and no other endpoint may have one", () => {
    expect(() =>
      route(
        waiting,
        async () => ({}),
        () => ({}),
      ),
    ).toThrow("getOld");
    expect(() =>
      route(
        old,
        async () => ({}),
        () => ({}),
        whenEnded,
      ),
    ).toThrow("getOld");
    expect(() =>
      route(
        waiting,
        async () => ({}),
        () => ({}),
        whenEnded,
      ),
    ).not.toThrow();
  });
});

it("an answer that goes on for longer cannot be a plain route, which does not ask again for the right", () => {
  const { deprecated: _, ...short } = old;
  const handler = async () => Response.json({});
  expect(() => plainRoute({ ...short, waits: true }, handler)).toThrow("getOld");
  const answer = { ...short.answer, otherMediaTypes: ["text/event-stream"] };
  expect(() => plainRoute({ ...short, answer }, handler)).toThrow("getOld");
  expect(() => plainRoute(short, handler)).not.toThrow();
});
