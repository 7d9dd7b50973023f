/** Sends every request of docs/mistakes.md and compares the answer with the page. */
import { describe, expect, inject, it } from "vitest";
import { clientOf, makeTenant, operator, send } from "#test/support/api.ts";
import { makeInstance, makeTarget, makeTemplate, run } from "#test/support/cloud.ts";
import { expectProblem } from "#test/support/declared.ts";
import { MISTAKES_PAGE } from "#test/support/mistakes-page.ts";

interface Mistake {
  title: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  status: number;
  code: string;
  faults: string[][];
  detail: string;
}

const section =
  /^## (\d+\. .+)\n\n```http\n([A-Z]+) (\S+)\n((?:[A-Za-z-]+: .+\n)*)(?:\n([\s\S]+?)\n)?```\n\n(\d{3}) `([a-z_]+)`(?::((?: `[^`]+`)+))?\n\n> (.+)$/gm;

const mistakes = [...inject("mistakes").matchAll(section)].map(
  ([
    ,
    title = "",
    method = "",
    path = "",
    headers = "",
    body,
    status,
    code = "",
    fault,
    detail = "",
  ]): Mistake => ({
    title,
    method,
    path,
    headers: Object.fromEntries(
      headers
        .trim()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => {
          const [name = "", ...value] = line.split(": ");
          return [name.toLowerCase(), value.join(": ")];
        }),
    ),
    body,
    status: Number(status),
    code,
    faults: fault === undefined ? [] : [fault.match(/[^` ]+/g) ?? []],
    detail,
  }),
);

const tenant = await makeTenant();
const other = await makeTenant();
const source = `
name: web
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16 } }
`;
const target = await makeTarget(tenant);
const template = await makeTemplate(tenant, source);
const instance = await makeInstance(tenant, template, target);
const deployment = (await run(tenant, instance, "deploy")).body;
const foreignInstance = await makeInstance(
  other,
  await makeTemplate(other, source),
  await makeTarget(other),
);
const reader = await operator.post("/api-keys", {
  name: "reader",
  scopes: ["templates:read"],
  tenantId: tenant.tenantId,
});
const usedKey = crypto.randomUUID();
await clientOf(tenant.key).post("/profiles", { name: "one" }, { "idempotency-key": usedKey });

const known: Readonly<Record<string, string>> = {
  target,
  template,
  instance,
  deployment: deployment.id,
  foreignInstance,
  readOnlyKey: `Bearer ${reader.body.key}`,
  usedKey,
};
const filled = (text: string): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => known[name] ?? whole);

describe(`the mistakes of ${MISTAKES_PAGE}`, () => {
  it("are twenty, numbered in order", () => {
    expect(mistakes.map(({ title }) => Number.parseInt(title, 10))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
  });

  it.each(mistakes.map((mistake) => [mistake.title, mistake] as const))(
    "%s",
    async (_, { method, path, headers, body, status, code, faults, detail }) => {
      const { authorization = `Bearer ${tenant.key}`, ...more } = headers;
      const answer = await send(method, filled(path), {
        headers: {
          ...(authorization === "none" ? {} : { authorization: filled(authorization) }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...Object.fromEntries(Object.entries(more).map(([name, it]) => [name, filled(it)])),
        },
        ...(body === undefined ? {} : { body }),
      });
      expectProblem(answer);
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        status,
        code,
        filled(detail),
      ]);
      if (faults.length > 0)
        expect(
          answer.body.errors.map((it: { pointer: string; code: string }) => [it.pointer, it.code]),
        ).toEqual(faults);
    },
  );
});
