/** Sends the request samples of `/docs` unchanged, except for ids and values that must be unique. */
import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { endpoints } from "#app.ts";
import { mapAt } from "#areas/docs/document/json-at.ts";
import { sampleOfMedia } from "#areas/docs/document/sample.ts";
import { API_PREFIX } from "#http/api-prefix.ts";
import type { Endpoint } from "#http/endpoint.ts";
import { isJsonMap, type Json, type JsonMap } from "#platform/json.ts";
import { OPERATOR_KEY } from "#test/support/api.ts";
import { ask } from "#test/support/declared.ts";
import {
  answerEveryReceiver,
  deletesLast,
  makeWorld,
  pathIn,
  statusIn,
  titleOf,
} from "#test/support/world.ts";

answerEveryReceiver();
const world = await makeWorld();
const served = await exports.default.fetch(
  new Request(`https://control.test${API_PREFIX}/openapi.json`),
);
const document = await served.json<JsonMap>();

/** Values that no sample can know. */
const own: Readonly<Record<string, () => Json>> = {
  templateId: () => world.templateId,
  targetId: () => world.targetId,
  variables: () => ({}),
  slug: () => `s-${crypto.randomUUID().slice(0, 13)}`,
  email: () => `${crypto.randomUUID()}@example.com`,
  since: () => new Date().toISOString(),
};

function sampleOf({ method, path }: Endpoint): JsonMap {
  const operation = mapAt(mapAt(mapAt(document, "paths"), API_PREFIX + path), method.toLowerCase());
  const media = mapAt(mapAt(mapAt(operation, "requestBody"), "content"), "application/json");
  const sample = sampleOfMedia(media, { document, side: "input" });
  if (!isJsonMap(sample)) throw new Error(`${titleOf({ method, path })} has no sample`);
  return Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [
      name,
      Object.hasOwn(own, name) ? (own[name]?.() ?? null) : value,
    ]),
  );
}

const withBody = deletesLast(endpoints).filter(({ body }) => body !== undefined);

describe.each(withBody.map((endpoint): [string, Endpoint] => [titleOf(endpoint), endpoint]))(
  "the sample of %s",
  (_, endpoint) => {
    it("works as shown", async () => {
      const { access } = endpoint;
      const byOperator = access !== "public" && access.role === "operator";
      const sample = sampleOf(endpoint);
      const answer = await ask(endpoint, pathIn(world, endpoint), {
        key: byOperator ? OPERATOR_KEY : world.tenant.key,
        body: JSON.stringify(sample),
      });
      expect(answer.status, `${JSON.stringify(sample)}\n${answer.text}`).toBe(statusIn(endpoint));
    });
  },
);
