/** `If-Match` and `If-None-Match`, as RFC 9110 has them, at every endpoint whose object has versions. */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import type { Endpoint } from "#platform/http/endpoint.ts";
import { OPERATOR_KEY, operator } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import { rowsOf } from "#test/support/tenant-rows.ts";
import {
  answerEveryReceiver,
  makeWorld,
  nothingToDo,
  pathIn,
  sampleBody,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const byRole = (endpoint: Endpoint) => endpoint.access !== "public" && endpoint.access.role;
const request = (endpoint: Endpoint, headers: Record<string, string>) =>
  ask(endpoint, pathIn(world, endpoint), {
    key: byRole(endpoint) === "operator" ? OPERATOR_KEY : world.tenant.key,
    body: endpoint.body && JSON.stringify(sampleBody(world, endpoint)),
    headers,
  });
const titled = (list: readonly Endpoint[]) =>
  list.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]);

/** Nobody but a browser asks these, and their objects have no versions. */
const ofKeys = endpoints.filter((endpoint) => byRole(endpoint) !== "session");
const versioned = ofKeys.filter(
  ({ method, problems = [], operationId }) =>
    (method === "PATCH" || method === "DELETE" || problems.includes("precondition_failed")) &&
    !Object.hasOwn(nothingToDo, operationId),
);

describe.each(titled(versioned))("%s", (_, endpoint) => {
  it("changes nothing unless the version is the one that is meant, for certain", async () => {
    const before = await rowsOf(world.tenantId);
    const weak = Array.from({ length: 40 }, (_, version) => `W/"${version}"`).join(", ");
    for (const header of ['"999999"', weak, "1", '"999999", *']) {
      const answer = await request(endpoint, { "if-match": header });
      expect([answer.status, answer.body.code], header).toEqual([412, "precondition_failed"]);
    }
    const strong = weak.replaceAll("W/", "");
    for (const header of ["*", weak, strong]) {
      const answer = await request(endpoint, { "if-none-match": header });
      expect([answer.status, answer.body.code], header).toEqual([412, "precondition_failed"]);
    }
    expect(await rowsOf(world.tenantId)).toEqual(before);
  });
});

const readable = ofKeys.filter(
  ({ method, etag, access }) => method === "GET" && etag && access !== "public",
);

describe.each(titled(readable))("%s", (_, endpoint) => {
  it("is not sent again to who has it, be the tag weak by now", async () => {
    const etag = (await request(endpoint, {})).headers.get("etag") ?? "";
    expect(etag).toMatch(/^"[^"]+"$/);
    for (const header of [etag, `W/${etag}`, `"other", W/${etag}`, "*"]) {
      const answer = await request(endpoint, { "if-none-match": header });
      expect([answer.status, answer.text, answer.headers.get("etag")], header).toEqual([
        304,
        "",
        etag,
      ]);
    }
    for (const header of ['"other"', 'W/"other"', etag.replaceAll('"', ""), `"other", *`])
      expect((await request(endpoint, { "if-none-match": header })).status, header).toBe(200);
  });
});

it("makes an object only where there is none, or only where there is one", async () => {
  const path = `/feature-flags/${crypto.randomUUID()}`;
  const flag = {
    type: "boolean",
    enabled: true,
    variants: { on: true, off: false },
    defaultVariant: "on",
  };
  const put = async (headers: Record<string, string>) =>
    (await operator.put(path, flag, headers)).status;
  expect(await put({ "if-match": "*" })).toBe(412);
  expect(await put({ "if-none-match": "*" })).toBe(200);
  expect(await put({ "if-none-match": "*" })).toBe(412);
  expect(await put({ "if-match": 'W/"1"' })).toBe(412);
  expect(await put({ "if-match": "*" })).toBe(200);
  expect(await put({ "if-none-match": '"7"' })).toBe(200);
});
