/**
 * The cost of a request in sequential round trips to D1: none for malformed requests, one for a read, two for
 * a change.
 */
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { type Endpoint, isMutation } from "#http/endpoint.ts";
import { makeKey as inventKey } from "#kernel/authn/api-key.ts";
import { newId } from "#platform/ids.ts";
import { roundTripsOf } from "#test/support/answers.ts";
import { makeTenant, OPERATOR_KEY } from "#test/support/api.ts";
import { ask, d1Spend } from "#test/support/declared.ts";
import { headersOf, signedIn, signedInOperator } from "#test/support/sessions.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeKey,
  makeWorld,
  pathIn,
  sampleBody,
  statusIn,
  titleOf,
  untilNothingDeployed,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const other = await makeTenant();
const member = await signedIn(
  [world.tenantId, "CustomerOwner"],
  [other.tenantId, "CustomerViewer"],
);
const operatorSession = await signedInOperator();

const titled = (list: readonly Endpoint[]) =>
  list.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]);
const bodyOf = (endpoint: Endpoint) =>
  endpoint.body === undefined ? {} : { body: JSON.stringify(sampleBody(world, endpoint)) };
const reads = endpoints.filter(({ method, access }) => method === "GET" && access !== "public");
const byOperator = ({ access }: Endpoint) => access !== "public" && access.role === "operator";
const forPeople = ({ access }: Endpoint) => access !== "public" && access.role === "session";
const open = endpoints.filter(({ access }) => access === "public");
const changes = endpoints.filter(({ method }) => isMutation(method));

describe.each(titled(reads))("%s", (_, endpoint) => {
  const path = pathIn(world, endpoint);

  it("authenticates and loads in one round trip, and only loads when the key is known", async () => {
    // Sessions are not cached.
    const kept = !forPeople(endpoint);
    const { key } = kept
      ? await makeKey(byOperator(endpoint) ? undefined : world.tenantId)
      : world.tenant;
    const cold = await ask(endpoint, path, { key });
    const warm = await ask(endpoint, path, { key });
    expect([cold.status, warm.status]).toEqual([200, 200]);
    expect(roundTripsOf(cold)).toBe(1);
    expect(roundTripsOf(warm)).toBeLessThanOrEqual(1);
    const statements = (answer: typeof cold) => Number(d1Spend(answer).split("/")[0]);
    expect(statements(warm)).toBe(statements(cold) - (kept ? 1 : 0));
  });

  it("takes one in a browser session too, of a member of several tenants", async () => {
    const headers = headersOf(byOperator(endpoint) ? operatorSession : member);
    // A log belongs to one tenant: members of several must name one.
    const query = endpoint.operationId === "listAuditEvents" ? `?tenantId=${world.tenantId}` : "";
    const answer = await ask(endpoint, path + query, { headers });
    expect([answer.status, roundTripsOf(answer)], answer.text).toEqual([200, 1]);
  });

  it("refuses in one round trip", async () => {
    const answer = await ask(endpoint, path, { key: inventKey(newId(), false) });
    expect([answer.status, roundTripsOf(answer)]).toEqual([401, 1]);
  });
});

describe.each(titled(open))("%s", (_, endpoint) => {
  it("takes one round trip at most", async () => {
    expect(roundTripsOf(await ask(endpoint, endpoint.path))).toBeLessThanOrEqual(1);
  });
});

describe.each(titled(deletesLast(changes)))("%s", (_, endpoint) => {
  const { method } = endpoint;
  const key = byOperator(endpoint) ? OPERATOR_KEY : world.tenant.key;

  it.skipIf(endpoint.access === "public")(
    "refuses what is not valid in one round trip",
    async () => {
      const refused = await ask(endpoint, pathIn(world, endpoint), {
        ...bodyOf(endpoint),
        key: inventKey(newId(), false),
      });
      expect([refused.status, roundTripsOf(refused)]).toEqual([401, 1]);
    },
  );

  it("takes two round trips at most, with an Idempotency-Key or without", async () => {
    const keyed = { "idempotency-key": "round-trips" };
    const status = statusIn(endpoint);
    if (endpoint.operationId === "deleteTenant") await untilNothingDeployed(world);
    for (const headers of method === "DELETE" ? [keyed] : [{}, keyed]) {
      const answer = await ask(endpoint, pathIn(world, endpoint), {
        ...bodyOf(endpoint),
        key,
        headers,
      });
      expect(roundTripsOf(answer), answer.text).toBeLessThanOrEqual(2);
      expect(answer.status, answer.text).toBe(status);
    }
  });
});
