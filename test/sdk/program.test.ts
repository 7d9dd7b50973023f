/** The program that types.test.ts checks against the document does, against the service, what it was written for. */
import { exports } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import { OPERATOR_KEY } from "#test/support/api.ts";
import { makeMember } from "#test/support/members.ts";
import type { Delivery, ProgramParts, ProgramResult } from "./program-parts.ts";

const webhookUrl = "https://hooks.example.com/program";
const received: Delivery[] = [];

vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
  const request = new Request(input, init);
  const body = await request.text();
  if (request.url === webhookUrl)
    received.push({ headers: Object.fromEntries(request.headers), body });
  return new Response("ok");
});

it("runs the whole product with what the document says, and no more", async () => {
  // Not imported by name: its types are made of the document, and are there only after that.
  const { runProgram } = await vi.importActual<{
    runProgram: (parts: ProgramParts) => Promise<ProgramResult>;
  }>("./program.ts");
  const result = await runProgram({
    baseUrl: "https://control.test",
    operatorKey: OPERATOR_KEY,
    keyOfAdmin: async (tenantId) => (await makeMember(tenantId, "CustomerAdmin")).key,
    fetch: async (request) => exports.default.fetch(request),
    webhookUrl,
    received: () => received,
    pause: (ms) => scheduler.wait(ms),
  });
  expect(result.plannedActions).toEqual(["create net", "create web"]);
  expect(result.found).toEqual([["shop", 1]]);
  expect(result.outputs).toEqual({ networkName: "shop", serverId: expect.any(String) });
  expect(result.log.at(0)).toBe("Started.");
  expect(result.log.length).toBeGreaterThan(5);
  expect(result.deploymentEvents).toEqual([
    "deployment.queued",
    "deployment.started",
    "deployment.planned",
    "deployment.approval_required",
    "deployment.approved",
    "deployment.applying",
    "deployment.succeeded",
  ]);
  expect(result.refusals).toEqual(["forbidden", "not_found"]);
});
